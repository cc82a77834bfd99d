import { isIP } from 'node:net';
import { homedir } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import { InvalidArgumentError, Option } from 'commander';
import { HookrelayError } from './core/errors.ts';
import type { BreakerTerms } from './core/flow/breaker-terms.ts';
import type { Limits } from './core/limits.ts';
import { readSender, readSmtpUrl, type SmtpSettings } from './core/mail/smtp-settings.ts';
import { PLANS, type Plan } from './core/model.ts';
import { parseDuration } from './core/units/duration.ts';
import { parseSize } from './core/units/size.ts';

/** All settings of an operator, checked, in plain units. Deeply frozen. */
export interface Config {
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
  /** Absolute. */
  readonly dataDir: string;
  /** A `postgres://` URL, or null for SQLite in the data directory. */
  readonly database: string | null;
  /** How long a start waits for an unreachable PostgreSQL. */
  readonly databaseWaitMs: number;
  /** An origin without a trailing slash, or null for the listening URL. */
  readonly publicUrl: string | null;
  readonly allowPrivateDestinations: boolean;
  readonly defaultPlan: Plan;
  readonly registration: 'open' | 'closed';
  readonly maxBodyBytes: number;
  readonly limits: Limits;
  readonly retry: {
    /** Includes the first attempt. */
    readonly attempts: number;
    readonly baseMs: number;
    readonly factor: number;
    readonly maxMs: number;
  };
  readonly attemptTimeoutMs: number;
  readonly breaker: Readonly<BreakerTerms>;
  /** How long a delivery may be due before its destination has a backlog. */
  readonly backlogAfterMs: number;
  /** Sends the e-mails of channels; null without a mail server. */
  readonly smtp: Readonly<SmtpSettings> | null;
  /** Age at which events are deleted, or null to keep them. */
  readonly retentionMs: number | null;
  /** Limits of concurrent connections. */
  readonly connectionCaps: { readonly max: number; readonly perAddress: number };
  /** Addresses and CIDR blocks whose `X-Forwarded-For` is trusted. */
  readonly trustProxy: readonly string[];
  /** Whether captures that arrive whole bypass `node:http`. */
  readonly fastPath: boolean;
  /** Absolute paths of PEM files. */
  readonly tls: { readonly certFile: string; readonly keyFile: string } | null;
  readonly tunnel: boolean;
  /** Time from SIGTERM until the server stops listening. Readiness fails meanwhile. */
  readonly drainDelayMs: number;
  readonly ai: {
    readonly mode: 'auto' | 'ollama' | 'builtin' | 'off';
    /** Without a trailing slash. */
    readonly ollamaUrl: string;
    readonly ollamaModel: string;
    /** Deadline of a model's whole answer. */
    readonly timeoutMs: number;
  };
  readonly logFormat: 'pretty' | 'json';
  readonly metricsToken: string | null;
  /** `HOOKRELAY_SECRET_KEY`; its UTF-8 bytes are the key material. */
  readonly secretKey: string | null;
}

/** setTimeout overflows past 2^31-1 ms (24.8 days). A deadline must stay far below. */
const MAX_ATTEMPT_TIMEOUT_MS = 60 * 60_000;
const MAX_DRAIN_DELAY_MS = 60 * 60_000;
/** Load balancers check readiness every few seconds. */
const NODES_DRAIN_DELAY_MS = 5000;
/** `hookrelay ai` and `fetch` wait 5 minutes for an answer: this leaves them a minute. */
const MAX_AI_TIMEOUT_MS = 4 * 60_000;
const MAX_DATABASE_WAIT_MS = 24 * 60 * 60_000;
const MAX_RETRY_DELAY_MS = 30 * 86_400_000;
const MAX_BREAKER_AFTER_MS = 24 * 60 * 60_000;
/** Later probes wait no longer than this either. */
const MAX_BREAKER_PROBE_MS = 5 * 60_000;
const MAX_BACKLOG_AFTER_MS = 30 * 86_400_000;
const MAX_RETENTION_MS = 100 * 365 * 86_400_000;
/** A body in base64 (4/3 of its size) must fit one V8 string (512 MiB). */
const MAX_BODY_BYTES = 256 * 1024 ** 2;
const MIN_SECRET_KEY_BYTES = 32;

type Parse<T> = (text: string) => T;

interface Setting<T> {
  flags: string;
  about: string;
  parse: Parse<T>;
  /** Value without flag and variable. */
  fallback: T;
  /** Default in help; null shows none. */
  shown: string | null;
}

/** A setting with a default. `shown` is the default as a user writes it. */
function setting<T>(flags: string, shown: string, parse: Parse<T>, about: string): Setting<T> {
  return { flags, about, parse, fallback: parse(shown), shown };
}

/** A setting without a default value; null if absent. */
function optional<T>(
  flags: string,
  shown: string | null,
  parse: Parse<T>,
  about: string,
): Setting<T | null> {
  return { flags, about, parse, fallback: null, shown };
}

const plan = oneOf(...PLANS);
const openOrClosed = oneOf('open', 'closed');
const aiMode = oneOf('auto', 'ollama', 'builtin', 'off');
const logFormat = oneOf('pretty', 'json');
const most = wholeNumber(1, 1_000_000);
const retryDelay = duration(MAX_RETRY_DELAY_MS, '30d');
const deadline = duration(MAX_ATTEMPT_TIMEOUT_MS, '1h');
const breakerAfter = zeroOr(duration(MAX_BREAKER_AFTER_MS, '24h'));
const breakerProbe = duration(MAX_BREAKER_PROBE_MS, '5m');
const drainDelay = zeroOr(duration(MAX_DRAIN_DELAY_MS, '1h'));
const aiTimeout = duration(MAX_AI_TIMEOUT_MS, '4m');
const XDG = '$XDG_DATA_HOME/hookrelay or ~/.local/share/hookrelay';
const OLLAMA = 'http://127.0.0.1:11434';

/**
 * All flags of `serve`. The key is the flag in camel case. Its environment
 * variable is the flag in capitals, prefixed with `HOOKRELAY_`.
 */
// biome-ignore format: a table, one setting a line
const SETTINGS = {
  host: setting('--host <address>', '127.0.0.1', host, 'address to listen on'),
  port: setting('--port <number>', '8484', wholeNumber(0, 65_535), 'port to listen on; 0 takes a free one and prints it'),
  dataDir: optional('--data-dir <path>', XDG, path, 'directory of all data'),
  database: optional('--database <url>', 'SQLite in the data directory', text, 'store data in PostgreSQL (postgres://…), which several nodes can share'),
  databaseWait: setting('--database-wait <duration>', '5m', duration(MAX_DATABASE_WAIT_MS, '24h'), 'how long a start waits for an unreachable PostgreSQL'),
  publicUrl: optional('--public-url <url>', 'the listening URL', origin, 'URL that senders use'),
  allowPrivateDestinations: setting('--allow-private-destinations [bool]', 'false', boolean, 'deliver to private addresses and over http: (for a laptop only)'),
  defaultPlan: setting('--default-plan <free|starter|pro>', 'free', plan, 'plan of new accounts'),
  registration: setting('--registration <open|closed>', 'open', openOrClosed, 'whether anybody may create an account'),
  maxBody: setting('--max-body <size>', '25mb', size(MAX_BODY_BYTES), 'largest body captured'),
  maxEndpoints: setting('--max-endpoints <number>', '1000', most, 'endpoints of an account'),
  maxDestinations: setting('--max-destinations <number>', '200', most, 'destinations of an endpoint'),
  maxTokens: setting('--max-tokens <number>', '100', most, 'API tokens of an account'),
  maxSessions: setting('--max-sessions <number>', '100', most, 'sessions of an account; a further login ends the session unused for longest'),
  maxStreams: setting('--max-streams <number>', '200', most, 'concurrent live streams of an account, on each node'),
  maxReplayJobs: setting('--max-replay-jobs <number>', '5', most, 'concurrent bulk replays of an account'),
  retryAttempts: setting('--retry-attempts <number>', '8', wholeNumber(1, 100), 'attempts of a delivery, including the first'),
  retryBase: setting('--retry-base <duration>', '5s', retryDelay, 'delay before the second attempt'),
  retryFactor: setting('--retry-factor <number>', '5', decimal(1, 100), 'growth of each later delay'),
  retryMax: setting('--retry-max <duration>', '24h', retryDelay, 'longest delay'),
  attemptTimeout: setting('--attempt-timeout <duration>', '10s', deadline, 'deadline of an attempt, from connecting to the last byte'),
  breakerFailures: setting('--breaker-failures <number>', '10', wholeNumber(1, 1_000_000), 'failed attempts in a row after which deliveries to a destination wait for a probe'),
  breakerAfter: setting('--breaker-after <duration>', '60s', breakerAfter, 'least time over which these attempts fail'),
  breakerProbe: setting('--breaker-probe <duration>', '30s', breakerProbe, 'delay before the first probe; each later one waits twice as long, at most 5m'),
  backlogAfter: setting('--backlog-after <duration>', '10m', duration(MAX_BACKLOG_AFTER_MS, '30d'), 'how long a delivery may be due before an issue tells of a backlog'),
  smtpUrl: optional('--smtp-url <url>', null, text, 'mail server of e-mail alerts (smtp://user:password@host:587, smtps://…)'),
  smtpFrom: optional('--smtp-from <address>', null, text, 'sender of e-mail alerts'),
  retention: setting('--retention <duration>', 'keep', retention, 'delete events older than this'),
  maxConnections: setting('--max-connections <number>', '10000', wholeNumber(1, 1_000_000), 'concurrent connections'),
  maxConnectionsPerAddress: optional('--max-connections-per-address <number>', 'a quarter of --max-connections', wholeNumber(1, 1_000_000), 'concurrent connections from one address (IPv6: one /64)'),
  trustProxy: optional('--trust-proxy <cidrs>', null, addressBlocks, 'proxies whose X-Forwarded-For is trusted, separated by commas'),
  tlsCert: optional('--tls-cert <file>', null, path, 'certificate chain (PEM)'),
  tlsKey: optional('--tls-key <file>', null, path, 'private key of the certificate (PEM)'),
  fastPath: {
    flags: '--no-fast-path [bool]',
    about: 'let Node parse every request: slower, to rule out a fault of the fast path',
    parse: (text: string) => !boolean(text),
    fallback: true,
    shown: null,
  },
  tunnel: setting('--tunnel [bool]', 'false', boolean, 'make a laptop reachable through a public tunnel (needs cloudflared)'),
  drainDelay: optional('--drain-delay <duration>', '5s with PostgreSQL, 0 with SQLite', drainDelay, 'how long to serve after SIGTERM while readiness fails'),
  ai: setting('--ai <auto|ollama|builtin|off>', 'auto', aiMode, 'engine of explain, handler and diagnose'),
  ollamaUrl: setting('--ollama-url <url>', OLLAMA, httpUrl, 'URL of Ollama'),
  ollamaModel: setting('--ollama-model <name>', 'gemma3:4b', text, 'model that Ollama runs'),
  aiTimeout: setting('--ai-timeout <duration>', '30s', aiTimeout, "deadline of a model's answer"),
  logFormat: optional('--log-format <pretty|json>', 'pretty on a terminal, json elsewhere', logFormat, 'format of log lines'),
  metricsToken: optional('--metrics-token <token>', null, text, 'bearer token for /metrics'),
};

/** Parsed flags, by commander's attribute name. An absent flag takes its default. */
export type ServeFlags = {
  [K in keyof typeof SETTINGS]?: (typeof SETTINGS)[K] extends Setting<infer T> ? T : never;
};

/** commander's options of `serve`. Flags win over the environment. */
export function serveOptions(): Option[] {
  return Object.values(SETTINGS).map(toOption);
}

/** The options that locate the store, for local commands. `resolveConfig` takes them too. */
export function storeOptions(): Option[] {
  return [SETTINGS.dataDir, SETTINGS.database].map(toOption);
}

/**
 * Booleans are flags with an optional value. A flag alone is true. For a flag
 * that takes no value, commander's `.env()` reads `HOOKRELAY_TUNNEL=false` as true.
 */
function toOption({ flags, about, parse, fallback, shown }: Setting<unknown>): Option {
  const option = new Option(flags, about).argParser(parse);
  option.env(`HOOKRELAY_${option.name().toUpperCase().replaceAll('-', '_')}`);
  if (shown !== null) option.default(fallback, shown);
  return option;
}

/**
 * Removes empty variables, which count as unset. Call it before parsing:
 * commander takes an empty variable as a value.
 */
export function dropEmptyVariables(env: NodeJS.ProcessEnv): void {
  for (const name of Object.keys(env)) {
    if (name.startsWith('HOOKRELAY_') && env[name] === '') delete env[name];
  }
}

/**
 * Turns parsed flags into the configuration. Reads `env`
 * (`HOOKRELAY_SECRET_KEY`, `XDG_DATA_HOME`) and no file.
 *
 * Throws `config_invalid` for settings that contradict each other. Settings that
 * may hold a secret are checked here too: commander's errors print the value.
 */
export function resolveConfig(
  flags: ServeFlags,
  env: NodeJS.ProcessEnv = process.env,
  stderrIsTerminal: boolean = process.stderr.isTTY === true,
): Config {
  const get = <K extends keyof typeof SETTINGS>(key: K) =>
    (flags[key] ?? SETTINGS[key].fallback) as Exclude<ServeFlags[K], undefined>;
  const retentionMs = get('retention');
  const config: Config = {
    host: get('host'),
    port: get('port'),
    dataDir: get('dataDir') ?? defaultDataDir(env),
    database: checkDatabase(get('database')),
    databaseWaitMs: get('databaseWait'),
    publicUrl: get('publicUrl'),
    allowPrivateDestinations: get('allowPrivateDestinations'),
    defaultPlan: get('defaultPlan'),
    registration: get('registration'),
    maxBodyBytes: get('maxBody'),
    limits: {
      endpoints: get('maxEndpoints'),
      destinations: get('maxDestinations'),
      tokens: get('maxTokens'),
      sessions: get('maxSessions'),
      streams: get('maxStreams'),
      replayJobs: get('maxReplayJobs'),
    },
    retry: {
      attempts: get('retryAttempts'),
      baseMs: get('retryBase'),
      factor: get('retryFactor'),
      maxMs: get('retryMax'),
    },
    attemptTimeoutMs: get('attemptTimeout'),
    breaker: {
      failures: get('breakerFailures'),
      afterMs: get('breakerAfter'),
      probeMs: get('breakerProbe'),
    },
    backlogAfterMs: get('backlogAfter'),
    smtp: checkSmtp(get('smtpUrl'), get('smtpFrom')),
    retentionMs: retentionMs === 'keep' ? null : retentionMs,
    connectionCaps: {
      max: get('maxConnections'),
      perAddress: get('maxConnectionsPerAddress') ?? Math.ceil(get('maxConnections') / 4),
    },
    trustProxy: get('trustProxy') ?? [],
    fastPath: get('fastPath'),
    tls: checkTls(get('tlsCert'), get('tlsKey')),
    tunnel: get('tunnel'),
    drainDelayMs: get('drainDelay') ?? (get('database') === null ? 0 : NODES_DRAIN_DELAY_MS),
    ai: {
      mode: get('ai'),
      ollamaUrl: get('ollamaUrl'),
      ollamaModel: get('ollamaModel'),
      timeoutMs: get('aiTimeout'),
    },
    logFormat: get('logFormat') ?? (stderrIsTerminal ? 'pretty' : 'json'),
    metricsToken: checkMetricsToken(get('metricsToken')),
    secretKey: checkSecretKey(env.HOOKRELAY_SECRET_KEY),
  };
  for (const value of Object.values(config)) Object.freeze(value);
  return Object.freeze(config);
}

/** In the XDG data home. The XDG specification ignores a relative XDG_DATA_HOME. */
function defaultDataDir(env: NodeJS.ProcessEnv): string {
  const dataHome = env.XDG_DATA_HOME;
  if (dataHome && isAbsolute(dataHome)) return join(dataHome, 'hookrelay');
  try {
    return join(homedir(), '.local', 'share', 'hookrelay');
  } catch (cause) {
    // In a container, the user id may have no passwd entry, and HOME may be unset.
    throw new HookrelayError('config_invalid', 'no data directory: this user has no home', {
      hint: 'set --data-dir or HOOKRELAY_DATA_DIR',
      cause,
    });
  }
}

function checkDatabase(url: string | null): string | null {
  // libpq's forms (several hosts, sockets) aren't all valid URLs.
  if (url === null || /^postgres(ql)?:\/\/./.test(url)) return url;
  throw new HookrelayError(
    'config_invalid',
    '--database (HOOKRELAY_DATABASE) is not a postgres:// URL',
    {
      hint: 'write postgres://user:password@host/name, or omit it to use SQLite',
    },
  );
}

/** No message repeats the URL: it has a password. */
function checkSmtp(url: string | null, from: string | null): Config['smtp'] {
  if (url === null && from === null) return null;
  if (url === null || from === null) {
    const [given, missing] = url ? ['--smtp-url', '--smtp-from'] : ['--smtp-from', '--smtp-url'];
    throw new HookrelayError('config_invalid', `${given} is given without ${missing}`, {
      hint: 'e-mail alerts need both (or HOOKRELAY_SMTP_URL and HOOKRELAY_SMTP_FROM)',
    });
  }
  const server = readSmtpUrl(url);
  if (server === null) {
    throw new HookrelayError(
      'config_invalid',
      '--smtp-url (HOOKRELAY_SMTP_URL) is not the URL of a mail server',
      {
        hint: 'write smtp://user:password@host:587 or smtps://user:password@host; encode @ as %40',
      },
    );
  }
  const sender = readSender(from);
  if (sender === null) {
    throw new HookrelayError(
      'config_invalid',
      '--smtp-from (HOOKRELAY_SMTP_FROM) is not an address',
      { hint: 'write alerts@example.com or "Alerts <alerts@example.com>"' },
    );
  }
  Object.freeze(server.auth);
  return { ...server, from: Object.freeze(sender) };
}

function checkTls(certFile: string | null, keyFile: string | null): Config['tls'] {
  if (certFile !== null && keyFile !== null) return { certFile, keyFile };
  if (certFile === null && keyFile === null) return null;
  const [given, missing] =
    certFile === null ? ['--tls-key', '--tls-cert'] : ['--tls-cert', '--tls-key'];
  throw new HookrelayError('config_invalid', `${given} is given without ${missing}`, {
    hint: 'TLS needs both (or HOOKRELAY_TLS_CERT and HOOKRELAY_TLS_KEY)',
  });
}

function checkMetricsToken(token: string | null): string | null {
  if (token === null || /^[\x21-\x7e]+$/.test(token)) return token;
  throw new HookrelayError(
    'config_invalid',
    '--metrics-token (HOOKRELAY_METRICS_TOKEN) has a character that no HTTP header can carry',
    { hint: 'use printable ASCII without blanks: openssl rand -hex 32' },
  );
}

/**
 * Never decodes the value: HKDF takes any bytes, and a wrong guess at the
 * encoding would change the key. A hex character holds 4 bits, so hex counts half.
 */
function checkSecretKey(value: string | undefined): string | null {
  if (value === undefined || value === '') return null;
  const key = value.trim();
  const bytes = /^[0-9a-f]*$/i.test(key) ? key.length / 2 : Buffer.byteLength(key);
  if (bytes >= MIN_SECRET_KEY_BYTES) return key;
  throw new HookrelayError(
    'config_invalid',
    `HOOKRELAY_SECRET_KEY holds ${Math.floor(bytes)} bytes: at least ${MIN_SECRET_KEY_BYTES} are needed ` +
      '(64 hex digits, base64, or text of 32 bytes)',
    { hint: 'make one: openssl rand -base64 32' },
  );
}

/** commander puts the flag or variable and the bad value in front of this message. */
function expected(what: string): InvalidArgumentError {
  return new InvalidArgumentError(`Expected ${what}.`);
}

function text(value: string): string {
  const trimmed = value.trim();
  if (trimmed === '') throw expected('a value');
  return trimmed;
}

function path(value: string): string {
  if (value === '') throw expected('a path');
  return resolve(value);
}

function boolean(value: string): boolean {
  const lower = value.trim().toLowerCase();
  if (lower === '1' || lower === 'true') return true;
  if (lower === '0' || lower === 'false') return false;
  throw expected('1, true, 0 or false');
}

function oneOf<const T extends string>(...values: T[]): Parse<T> {
  return (value) => {
    const found = values.find((one) => one === value.trim());
    if (found === undefined)
      throw expected(`${values.slice(0, -1).join(', ')} or ${values.at(-1)}`);
    return found;
  };
}

function wholeNumber(min: number, max: number): Parse<number> {
  return numeric(/^\d{1,9}$/, `a whole number from ${min} to ${max}`, min, max);
}

function decimal(min: number, max: number): Parse<number> {
  return numeric(/^\d+(\.\d+)?$/, `a number from ${min} to ${max}`, min, max);
}

function numeric(form: RegExp, what: string, min: number, max: number): Parse<number> {
  return (value) => {
    const number = form.test(value.trim()) ? Number(value) : Number.NaN;
    if (number >= min && number <= max) return number;
    throw expected(what);
  };
}

function duration(maxMs: number, shownMax: string): Parse<number> {
  return (value) => {
    const ms = parseDuration(value);
    if (ms === null || ms < 1 || ms > maxMs) {
      throw expected(`a duration such as 500ms, 5s, 10m or 24h, at most ${shownMax}`);
    }
    return ms;
  };
}

function zeroOr(parse: Parse<number>): Parse<number> {
  return (value) => (value.trim() === '0' || parseDuration(value) === 0 ? 0 : parse(value));
}

/** `keep` stays a word until `resolveConfig`: commander turns null into an empty string. */
function retention(value: string): number | 'keep' {
  if (value.trim().toLowerCase() === 'keep') return 'keep';
  const ms = parseDuration(value);
  if (ms !== null && ms >= 1 && ms <= MAX_RETENTION_MS) return ms;
  throw expected('a duration such as 12h or 30d, or keep');
}

function size(maxBytes: number): Parse<number> {
  return (value) => {
    const bytes = parseSize(value);
    if (bytes === null || bytes < 1 || bytes > maxBytes) {
      throw expected(`a size such as 26214400, 512kb or 25mb, at most ${maxBytes / 1024 ** 2}mb`);
    }
    return bytes;
  };
}

function host(value: string): string {
  const bare = value.trim().replace(/^\[(.*)\]$/, '$1');
  if (isIP(bare) || (!/^[\d.]+$/.test(bare) && /^[a-z\d]([a-z\d.-]{0,251}[a-z\d])?$/i.test(bare)))
    return bare;
  throw expected('an IP address or a host name, without a port');
}

function httpUrl(value: string): string {
  const url = parseUrl(value);
  if (!url || url.search || url.hash) throw expected('a URL such as http://127.0.0.1:11434');
  return url.href.replace(/\/+$/, '');
}

function origin(value: string): string {
  const url = parseUrl(value);
  if (url?.pathname !== '/' || url.search || url.hash) {
    throw expected('an http or https URL without a path, such as https://hooks.example.com');
  }
  return url.origin;
}

function parseUrl(value: string): URL | null {
  const url = URL.parse(value.trim());
  const isHttp = url?.protocol === 'http:' || url?.protocol === 'https:';
  return isHttp && !url.username && !url.password ? url : null;
}

function addressBlocks(value: string): string[] {
  return value.split(/[\s,]+/).map((block) => {
    const [address = '', bits, ...rest] = block.split('/');
    // A zone id passes isIP, but net.BlockList refuses it.
    const family = address.includes('%') ? 0 : isIP(address);
    const bitsFit =
      bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128));
    if (family && bitsFit && rest.length === 0) return block;
    throw expected('IP addresses or CIDR blocks, such as 10.0.0.0/8,::1');
  });
}
