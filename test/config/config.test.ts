import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { Command, CommanderError } from '@commander-js/extra-typings';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type Config, dropEmptyVariables, resolveConfig } from '../../src/config/config.ts';
import { addSettings, serveOptions } from '../../src/config/settings.ts';

beforeEach(() => {
  for (const name of Object.keys(process.env)) {
    if (name.startsWith('HOOKRELAY_') || name === 'XDG_DATA_HOME') vi.stubEnv(name, undefined);
  }
});
afterEach(() => {
  vi.unstubAllEnvs();
});

/** The configuration of `serve` with these flags and variables. */
function configure(argv: string[], env: Record<string, string> = {}): Config {
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
  dropEmptyVariables(process.env);
  const command = new Command('serve').exitOverride().configureOutput({ writeErr: () => {} });
  for (const option of serveOptions()) command.addOption(option);
  command.parse(argv, { from: 'user' });
  return resolveConfig(command.opts(), process.env, false);
}

function failure(argv: string[], env: Record<string, string> = {}): Error {
  try {
    configure(argv, env);
  } catch (error) {
    return error as Error;
  }
  throw new Error('was accepted');
}

const DEFAULTS: Config = {
  host: '127.0.0.1',
  port: 8484,
  dataDir: resolve(homedir(), '.local/share/hookrelay'),
  database: null,
  databaseWaitMs: 300_000,
  publicUrl: null,
  allowPrivateDestinations: false,
  defaultPlan: 'free',
  registration: 'open',
  maxBodyBytes: 26_214_400,
  limits: {
    endpoints: 1000,
    destinations: 200,
    tokens: 100,
    sessions: 100,
    streams: 200,
    replayJobs: 5,
  },
  retry: { attempts: 8, baseMs: 5000, factor: 5, maxMs: 86_400_000 },
  attemptTimeoutMs: 10_000,
  breaker: { failures: 10, afterMs: 60_000, probeMs: 30_000 },
  backlogAfterMs: 600_000,
  smtp: null,
  retentionMs: null,
  connectionCaps: { max: 10_000, perAddress: 2500 },
  trustProxy: [],
  fastPath: true,
  tls: null,
  tunnel: false,
  drainDelayMs: 0,
  ai: {
    mode: 'auto',
    ollamaUrl: 'http://127.0.0.1:11434',
    ollamaModel: 'gemma3:4b',
    timeoutMs: 30_000,
  },
  logFormat: 'json',
  metricsToken: null,
  secretKey: null,
};

describe('defaults', () => {
  test('are the documented ones', () => {
    expect(configure([])).toEqual(DEFAULTS);
    expect(resolveConfig({}, {}, false)).toEqual(DEFAULTS);
  });

  test('log pretty lines on a terminal', () => {
    expect(resolveConfig({}, {}, true).logFormat).toBe('pretty');
    expect(resolveConfig({ logFormat: 'json' }, {}, true).logFormat).toBe('json');
  });

  test('follow XDG_DATA_HOME when it is absolute', () => {
    expect(configure([], { XDG_DATA_HOME: '/data' }).dataDir).toBe(resolve('/data/hookrelay'));
    expect(configure([], { XDG_DATA_HOME: 'data' }).dataDir).toBe(DEFAULTS.dataDir);
    expect(configure([], { XDG_DATA_HOME: '' }).dataDir).toBe(DEFAULTS.dataDir);
  });
});

test('a config is deeply frozen', () => {
  const config = configure(['--trust-proxy', '::1', '--tls-cert', 'c', '--tls-key', 'k']);
  for (const part of [config, config.retry, config.trustProxy, config.tls, config.ai]) {
    expect(Object.isFrozen(part)).toBe(true);
  }
});

const breaker = (terms: Partial<Config['breaker']>) => ({
  breaker: { ...DEFAULTS.breaker, ...terms },
});

/** Flag, variable without its prefix, value, and resulting configuration. */
const CASES: [flag: string, variable: string, value: string, part: Partial<Config>][] = [
  ['--host', 'HOST', '::', { host: '::' }],
  ['--host', 'HOST', '[::1]', { host: '::1' }],
  ['--host', 'HOST', 'my-host.local', { host: 'my-host.local' }],
  ['--port', 'PORT', '0', { port: 0 }],
  ['--port', 'PORT', '65535', { port: 65_535 }],
  ['--data-dir', 'DATA_DIR', 'some/dir', { dataDir: resolve('some/dir') }],
  ['--database-wait', 'DATABASE_WAIT', '90s', { databaseWaitMs: 90_000 }],
  [
    '--database',
    'DATABASE',
    'postgres://u:p@db/h',
    { database: 'postgres://u:p@db/h', drainDelayMs: 5000 },
  ],
  [
    '--database',
    'DATABASE',
    'postgresql:///h',
    { database: 'postgresql:///h', drainDelayMs: 5000 },
  ],
  [
    '--public-url',
    'PUBLIC_URL',
    'https://Hooks.example.com/',
    { publicUrl: 'https://hooks.example.com' },
  ],
  ['--public-url', 'PUBLIC_URL', 'http://10.0.0.1:8080', { publicUrl: 'http://10.0.0.1:8080' }],
  ['--public-url', 'PUBLIC_URL', 'https://x.test:443', { publicUrl: 'https://x.test' }],
  ['--default-plan', 'DEFAULT_PLAN', 'pro', { defaultPlan: 'pro' }],
  ['--registration', 'REGISTRATION', 'closed', { registration: 'closed' }],
  ['--no-fast-path', 'NO_FAST_PATH', 'true', { fastPath: false }],
  ['--no-fast-path', 'NO_FAST_PATH', 'false', { fastPath: true }],
  ['--max-body', 'MAX_BODY', '1mb', { maxBodyBytes: 1_048_576 }],
  ['--max-body', 'MAX_BODY', '1000', { maxBodyBytes: 1000 }],
  ['--max-endpoints', 'MAX_ENDPOINTS', '7', { limits: { ...DEFAULTS.limits, endpoints: 7 } }],
  [
    '--max-destinations',
    'MAX_DESTINATIONS',
    '7',
    { limits: { ...DEFAULTS.limits, destinations: 7 } },
  ],
  ['--max-tokens', 'MAX_TOKENS', '7', { limits: { ...DEFAULTS.limits, tokens: 7 } }],
  ['--max-sessions', 'MAX_SESSIONS', '7', { limits: { ...DEFAULTS.limits, sessions: 7 } }],
  ['--max-streams', 'MAX_STREAMS', '7', { limits: { ...DEFAULTS.limits, streams: 7 } }],
  ['--max-replay-jobs', 'MAX_REPLAY_JOBS', '7', { limits: { ...DEFAULTS.limits, replayJobs: 7 } }],
  ['--max-connections', 'MAX_CONNECTIONS', '10', { connectionCaps: { max: 10, perAddress: 3 } }],
  [
    '--max-connections-per-address',
    'MAX_CONNECTIONS_PER_ADDRESS',
    '7',
    { connectionCaps: { max: 10_000, perAddress: 7 } },
  ],
  ['--retry-attempts', 'RETRY_ATTEMPTS', '1', { retry: { ...DEFAULTS.retry, attempts: 1 } }],
  ['--retry-base', 'RETRY_BASE', '500ms', { retry: { ...DEFAULTS.retry, baseMs: 500 } }],
  ['--retry-factor', 'RETRY_FACTOR', '1.5', { retry: { ...DEFAULTS.retry, factor: 1.5 } }],
  ['--retry-max', 'RETRY_MAX', '1h', { retry: { ...DEFAULTS.retry, maxMs: 3_600_000 } }],
  ['--attempt-timeout', 'ATTEMPT_TIMEOUT', '2s', { attemptTimeoutMs: 2000 }],
  ['--breaker-failures', 'BREAKER_FAILURES', '3', breaker({ failures: 3 })],
  ['--breaker-after', 'BREAKER_AFTER', '2m', breaker({ afterMs: 120_000 })],
  ['--breaker-after', 'BREAKER_AFTER', '0', breaker({ afterMs: 0 })],
  ['--breaker-probe', 'BREAKER_PROBE', '5s', breaker({ probeMs: 5000 })],
  ['--backlog-after', 'BACKLOG_AFTER', '30s', { backlogAfterMs: 30_000 }],
  ['--retention', 'RETENTION', '30d', { retentionMs: 2_592_000_000 }],
  ['--retention', 'RETENTION', 'keep', { retentionMs: null }],
  [
    '--trust-proxy',
    'TRUST_PROXY',
    '10.0.0.0/8, ::1 fd00::/8',
    { trustProxy: ['10.0.0.0/8', '::1', 'fd00::/8'] },
  ],
  ['--drain-delay', 'DRAIN_DELAY', '20s', { drainDelayMs: 20_000 }],
  ['--drain-delay', 'DRAIN_DELAY', '0', { drainDelayMs: 0 }],
  ['--drain-delay', 'DRAIN_DELAY', '0s', { drainDelayMs: 0 }],
  ['--tunnel', 'TUNNEL', 'TRUE', { tunnel: true }],
  ['--tunnel', 'TUNNEL', '0', { tunnel: false }],
  [
    '--allow-private-destinations',
    'ALLOW_PRIVATE_DESTINATIONS',
    '1',
    { allowPrivateDestinations: true },
  ],
  [
    '--allow-private-destinations',
    'ALLOW_PRIVATE_DESTINATIONS',
    'false',
    { allowPrivateDestinations: false },
  ],
  ['--ai', 'AI', 'off', { ai: { ...DEFAULTS.ai, mode: 'off' } }],
  [
    '--ollama-url',
    'OLLAMA_URL',
    'http://gpu:11434/',
    { ai: { ...DEFAULTS.ai, ollamaUrl: 'http://gpu:11434' } },
  ],
  [
    '--ollama-model',
    'OLLAMA_MODEL',
    'qwen3:4b',
    { ai: { ...DEFAULTS.ai, ollamaModel: 'qwen3:4b' } },
  ],
  ['--ai-timeout', 'AI_TIMEOUT', '2m', { ai: { ...DEFAULTS.ai, timeoutMs: 120_000 } }],
  ['--log-format', 'LOG_FORMAT', 'pretty', { logFormat: 'pretty' }],
  ['--metrics-token', 'METRICS_TOKEN', 'm3trics', { metricsToken: 'm3trics' }],
];

test.each(CASES)('%s, HOOKRELAY_%s: %j', (flag, variable, value, part) => {
  expect(configure([`${flag}=${value}`])).toEqual({ ...DEFAULTS, ...part });
  expect(configure([], { [`HOOKRELAY_${variable}`]: value })).toEqual({ ...DEFAULTS, ...part });
});

test('the cases above, the TLS files and the mail server cover every flag', () => {
  const names = serveOptions().map((option) => [option.long, option.envVar]);
  const covered = CASES.map(([flag, variable]) => [flag, `HOOKRELAY_${variable}`]);
  covered.push(['--tls-cert', 'HOOKRELAY_TLS_CERT'], ['--tls-key', 'HOOKRELAY_TLS_KEY']);
  covered.push(['--smtp-url', 'HOOKRELAY_SMTP_URL'], ['--smtp-from', 'HOOKRELAY_SMTP_FROM']);
  const distinct = (pairs: unknown[][]) => [...new Set(pairs.map((pair) => pair.join(' ')))].sort();
  expect(distinct(names)).toEqual(distinct(covered));
});

describe('precedence', () => {
  test('a flag wins over its variable, which wins over the default', () => {
    const env = { HOOKRELAY_PORT: '1111', HOOKRELAY_TUNNEL: 'true', HOOKRELAY_RETENTION: '1d' };
    expect(configure([], env)).toMatchObject({ port: 1111, tunnel: true, retentionMs: 86_400_000 });
    expect(configure(['--port=2222', '--tunnel=false', '--retention=keep'], env)).toMatchObject({
      port: 2222,
      tunnel: false,
      retentionMs: null,
    });
  });

  test('a bad variable is ignored when its flag is given', () => {
    expect(configure(['--port', '1'], { HOOKRELAY_PORT: 'x' }).port).toBe(1);
  });

  test('an empty variable is unset', () => {
    const env = Object.fromEntries(serveOptions().map((option) => [option.envVar as string, '']));
    expect(configure([], { ...env, HOOKRELAY_SECRET_KEY: '' })).toEqual(DEFAULTS);
  });

  test('a boolean flag alone is true', () => {
    expect(configure(['--tunnel', '--allow-private-destinations'])).toMatchObject({
      tunnel: true,
      allowPrivateDestinations: true,
    });
    expect(configure(['--tunnel'], { HOOKRELAY_TUNNEL: 'false' }).tunnel).toBe(true);
  });
});

const BAD: [flag: string, variable: string, value: string, accepted: string][] = [
  ['--host', 'HOST', '127.0.0.1:80', 'without a port'],
  ['--host', 'HOST', '256.1.1.1', 'without a port'],
  ['--host', 'HOST', 'http://x', 'without a port'],
  ['--port', 'PORT', 'abc', 'from 0 to 65535'],
  ['--port', 'PORT', '65536', 'from 0 to 65535'],
  ['--port', 'PORT', '-1', 'from 0 to 65535'],
  ['--port', 'PORT', '80.5', 'from 0 to 65535'],
  ['--port', 'PORT', '0x50', 'from 0 to 65535'],
  ['--public-url', 'PUBLIC_URL', 'hooks.example.com', 'without a path'],
  ['--public-url', 'PUBLIC_URL', 'https://x.test/path', 'without a path'],
  ['--public-url', 'PUBLIC_URL', 'https://x.test?q=1', 'without a path'],
  ['--public-url', 'PUBLIC_URL', 'https://x.test/#f', 'without a path'],
  ['--public-url', 'PUBLIC_URL', 'https://u:p@x.test', 'without a path'],
  ['--public-url', 'PUBLIC_URL', 'ftp://x.test', 'without a path'],
  ['--default-plan', 'DEFAULT_PLAN', 'gold', 'free, starter or pro'],
  ['--registration', 'REGISTRATION', 'Closed', 'open or closed'],
  ['--max-destinations', 'MAX_DESTINATIONS', '0', 'from 1 to 1000000'],
  ['--max-body', 'MAX_BODY', '0', 'at most 256mb'],
  ['--max-body', 'MAX_BODY', '1gb', 'at most 256mb'],
  ['--max-body', 'MAX_BODY', 'big', 'at most 256mb'],
  ['--max-connections', 'MAX_CONNECTIONS', '0', 'from 1 to 1000000'],
  ['--max-connections-per-address', 'MAX_CONNECTIONS_PER_ADDRESS', '-1', 'from 1 to 1000000'],
  ['--retry-attempts', 'RETRY_ATTEMPTS', '0', 'from 1 to 100'],
  ['--retry-base', 'RETRY_BASE', '5', 'such as 500ms'],
  ['--retry-base', 'RETRY_BASE', '0s', 'such as 500ms'],
  ['--retry-factor', 'RETRY_FACTOR', '0.5', 'from 1 to 100'],
  ['--retry-factor', 'RETRY_FACTOR', '1e2', 'from 1 to 100'],
  ['--retry-max', 'RETRY_MAX', '31d', 'at most 30d'],
  ['--attempt-timeout', 'ATTEMPT_TIMEOUT', '2h', 'at most 1h'],
  ['--breaker-failures', 'BREAKER_FAILURES', '0', 'from 1 to'],
  ['--breaker-after', 'BREAKER_AFTER', '25h', 'at most 24h'],
  ['--breaker-probe', 'BREAKER_PROBE', '6m', 'at most 5m'],
  ['--breaker-probe', 'BREAKER_PROBE', '0', 'at most 5m'],
  ['--retention', 'RETENTION', 'forever', 'or keep'],
  ['--retention', 'RETENTION', '30', 'or keep'],
  ['--trust-proxy', 'TRUST_PROXY', '10.0.0.0/33', 'CIDR'],
  ['--trust-proxy', 'TRUST_PROXY', '::1/129', 'CIDR'],
  ['--trust-proxy', 'TRUST_PROXY', 'fe80::1%eth0', 'CIDR'],
  ['--trust-proxy', 'TRUST_PROXY', '10.0.0.0/8/8', 'CIDR'],
  ['--trust-proxy', 'TRUST_PROXY', '10.0.0.0/', 'CIDR'],
  ['--trust-proxy', 'TRUST_PROXY', 'localhost', 'CIDR'],
  ['--drain-delay', 'DRAIN_DELAY', '5', 'such as 500ms'],
  ['--drain-delay', 'DRAIN_DELAY', '2h', 'at most 1h'],
  ['--tunnel', 'TUNNEL', 'yes', '1, true, 0 or false'],
  ['--ai', 'AI', 'gpt', 'auto, ollama, builtin or off'],
  ['--ollama-url', 'OLLAMA_URL', 'localhost:11434', 'http://127.0.0.1:11434'],
  ['--ai-timeout', 'AI_TIMEOUT', '5m', '4m'],
  ['--ai-timeout', 'AI_TIMEOUT', '0s', '4m'],
  ['--log-format', 'LOG_FORMAT', 'xml', 'pretty or json'],
];

test.each(BAD)('%s, HOOKRELAY_%s: %j is refused', (flag, variable, value, accepted) => {
  const byFlag = failure([`${flag}=${value}`]);
  expect(byFlag).toBeInstanceOf(CommanderError);
  const byVariable = failure([], { [`HOOKRELAY_${variable}`]: value });
  expect(byVariable).toBeInstanceOf(CommanderError);
  for (const part of [flag, `'${value}'`, accepted]) expect(byFlag.message).toContain(part);
  for (const part of [`HOOKRELAY_${variable}`, `'${value}'`, accepted]) {
    expect(byVariable.message).toContain(part);
  }
});

test('an empty flag is refused', () => {
  for (const option of serveOptions()) {
    expect(() => configure([`${option.long}=`]), option.long).toThrow(/is invalid|HOOKRELAY_/);
  }
});

describe('TLS', () => {
  test('takes a certificate and its key', () => {
    expect(configure(['--tls-cert', 'c.pem'], { HOOKRELAY_TLS_KEY: '/k.pem' }).tls).toEqual({
      certFile: resolve('c.pem'),
      keyFile: resolve('/k.pem'),
    });
  });

  test('needs both', () => {
    expect(failure(['--tls-cert', 'c.pem'])).toMatchObject({
      code: 'config_invalid',
      message: '--tls-cert is given without --tls-key',
    });
    expect(failure([], { HOOKRELAY_TLS_KEY: 'k.pem' }).message).toContain('without --tls-cert');
  });
});

describe('a mail server', () => {
  const smtp = (url: string, from = 'alerts@example.com') =>
    configure(['--smtp-from', from], { HOOKRELAY_SMTP_URL: url }).smtp;
  const from = { name: '', address: 'alerts@example.com' };

  test.each<[string, Partial<Config['smtp']>]>([
    ['smtp://mail.example.com', { port: 587, security: 'starttls', auth: null }],
    ['smtp://mail.example.com:2525', { port: 2525, security: 'starttls' }],
    ['smtps://mail.example.com', { port: 465, security: 'tls' }],
    ['smtp://mail.example.com:25/?tls=off', { port: 25, security: 'none' }],
    ['smtp://127.0.0.1:1025', { host: '127.0.0.1', port: 1025, security: 'none' }],
    ['smtp://[::1]:1025', { host: '::1', security: 'none' }],
    ['smtps://localhost', { host: 'localhost', security: 'tls' }],
    [
      'smtps://ada%40example.com:p%40ss%2Fw%3Ard@mail.example.com',
      { auth: { user: 'ada@example.com', pass: 'p@ss/w:rd' } },
    ],
  ])('%s', (url, expected) => {
    expect(smtp(url)).toMatchObject({ from, ...expected });
  });

  test.each([
    'http://mail.example.com',
    'mail.example.com',
    'smtp://',
    'smtp://mail.example.com/inbox',
    'smtp://mail.example.com?tls=on',
    'smtps://mail.example.com?tls=off',
    'smtp://ada@mail.example.com',
    'smtp://ada:hunter2%@mail.example.com',
    'smtp://mail.example.com:0',
  ])('%s is refused, and not repeated', (url) => {
    const error = failure(['--smtp-from', 'a@b'], { HOOKRELAY_SMTP_URL: url });
    expect(error).toMatchObject({ code: 'config_invalid' });
    expect(JSON.stringify([error.message, error])).not.toContain('hunter2');
  });

  test.each<[string, { name: string; address: string }]>([
    ['alerts@example.com', from],
    ['Alerts <alerts@example.com>', { ...from, name: 'Alerts' }],
    ['"Alerts, all" <alerts@example.com>', { ...from, name: 'Alerts, all' }],
  ])('sends as %s', (text, sender) => {
    expect(smtp('smtp://localhost', text)?.from).toEqual(sender);
  });

  test.each(['alerts', 'a@b, c@d', 'A <a@b> <c@d>', 'a@b\nBcc: c@d', 'A\r\nB <a@b>', 'a b@c'])(
    'does not send as %j',
    (text) => {
      const error = failure(['--smtp-url', 'smtp://localhost', '--smtp-from', text]);
      expect(error.message).toContain('--smtp-from');
    },
  );

  test('needs its URL and a sender', () => {
    expect(failure(['--smtp-url', 'smtp://localhost']).message).toContain('without --smtp-from');
    expect(failure(['--smtp-from', 'a@b']).message).toContain('without --smtp-url');
  });

  test('is frozen', () => {
    const config = configure(['--smtp-url', 'smtp://u:p@h', '--smtp-from', 'a@b']);
    const parts = [config.smtp, config.smtp?.auth, config.smtp?.from];
    for (const part of parts) expect(Object.isFrozen(part)).toBe(true);
  });
});

describe('a possible secret is never in a message', () => {
  test('a database that is not PostgreSQL', () => {
    const error = failure(['--database', 'mysql://root:hunter2@db/x']);
    expect(error).toMatchObject({ code: 'config_invalid' });
    expect(JSON.stringify([error.message, error])).not.toContain('hunter2');
  });

  test('a metrics token that no header can carry', () => {
    const error = failure([], { HOOKRELAY_METRICS_TOKEN: 'hunter 2' });
    expect(error).toMatchObject({ code: 'config_invalid' });
    expect(JSON.stringify([error.message, error])).not.toContain('hunter');
  });

  test.each([
    ['text of 31 bytes', 'hunter2'.padEnd(31, '!')],
    ['62 hex digits', 'a1'.repeat(31)],
    ['blanks', ' '.repeat(40)],
  ])('a secret key that is too short: %s', (_, value) => {
    const error = failure([], { HOOKRELAY_SECRET_KEY: value });
    expect(error).toMatchObject({
      code: 'config_invalid',
      hint: expect.stringContaining('openssl'),
    });
    expect(error.message).toMatch(/^HOOKRELAY_SECRET_KEY holds \d+ bytes: at least 32/);
    expect(JSON.stringify([error.message, error])).not.toContain(value);
  });
});

describe('secret key', () => {
  test.each([
    ['64 hex digits', 'a1'.repeat(32)],
    ['base64 of 32 bytes', Buffer.alloc(32, 7).toString('base64')],
    ['text of 32 bytes', 'é'.repeat(16)],
  ])('%s is taken unchanged', (_, value) => {
    expect(configure([], { HOOKRELAY_SECRET_KEY: value }).secretKey).toBe(value);
    expect(configure([], { HOOKRELAY_SECRET_KEY: `${value}\n` }).secretKey).toBe(value);
  });

  test('is not a flag', () => {
    expect(serveOptions().some((option) => option.name().includes('secret'))).toBe(false);
  });
});

test('dropEmptyVariables leaves variables that are not hookrelay’s', () => {
  const env = { HOOKRELAY_PORT: '', HOOKRELAY_URL: '', HOOKRELAY_HOST: 'x', OTHER: '' };
  dropEmptyVariables(env);
  expect(env).toEqual({ HOOKRELAY_HOST: 'x', OTHER: '' });
});

test('a command takes some of the settings', () => {
  const { options } = addSettings(new Command(), ['dataDir', 'database']);
  expect(options.map((option) => option.envVar)).toEqual([
    'HOOKRELAY_DATA_DIR',
    'HOOKRELAY_DATABASE',
  ]);
});
