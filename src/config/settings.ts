import { type Command, Option, type OptionValues } from '@commander-js/extra-typings';
import { PLANS } from '../core/model.ts';
import {
  boolean,
  decimal,
  duration,
  oneOf,
  type Parse,
  path,
  retention,
  size,
  text,
  wholeNumber,
  zeroOr,
} from './parse.ts';
import { addressBlocks, host, httpUrl, origin } from './parse-address.ts';

/** setTimeout overflows above 2^31-1 ms (24.8 days). Deadlines must stay far below that limit. */
const MAX_ATTEMPT_TIMEOUT_MS = 60 * 60_000;
const MAX_DRAIN_DELAY_MS = 60 * 60_000;
/** `hookrelay ai` and `fetch` wait 5 minutes for an answer. A model gets a minute less. */
const MAX_AI_TIMEOUT_MS = 4 * 60_000;
const MAX_DATABASE_WAIT_MS = 24 * 60 * 60_000;
const MAX_RETRY_DELAY_MS = 30 * 86_400_000;
const MAX_BREAKER_AFTER_MS = 24 * 60 * 60_000;
/** The longest delay before the breaker's first probe, and between two probes. */
const MAX_BREAKER_PROBE_MS = 5 * 60_000;
const MAX_BACKLOG_AFTER_MS = 30 * 86_400_000;
/** The base64 text of a body must fit into one V8 string (512 MiB). base64 adds a third. */
const MAX_BODY_BYTES = 256 * 1024 ** 2;

interface ServerSetting<T> {
  flags: string;
  about: string;
  parse: Parse<T>;
  /** The value if neither the flag nor the variable is set. */
  fallback: T;
  /** The default in the help; null if the help shows none. */
  shown: string | null;
}

/** Describes a setting with a default. `shown` is the default as a user writes it. */
function setting<T>(
  flags: string,
  shown: string,
  parse: Parse<T>,
  about: string,
): ServerSetting<T> {
  return { flags, about, parse, fallback: parse(shown), shown };
}

/** Describes a setting without a default. Its value is null if it isn't set. */
function optional<T>(
  flags: string,
  shown: string | null,
  parse: Parse<T>,
  about: string,
): ServerSetting<T | null> {
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
 * All flags of `serve`. Each key is the flag's name in camel case. The environment variable is the
 * flag's name in capitals, with the prefix `HOOKRELAY_`.
 */
// biome-ignore format: a table, one setting a line
export const SETTINGS = {
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
  backlogAfter: setting('--backlog-after <duration>', '10m', duration(MAX_BACKLOG_AFTER_MS, '30d'), 'how long a delivery may be due before an issue reports a backlog'),
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
  [K in keyof typeof SETTINGS]?: (typeof SETTINGS)[K] extends ServerSetting<infer T> ? T : never;
};

export const SETTING_NAMES = Object.keys(SETTINGS) as (keyof ServeFlags)[];

/** Returns the name of a setting's environment variable. */
export function variableOf(name: keyof ServeFlags): string {
  return toOption(SETTINGS[name]).envVar as string;
}

/** Returns commander's options of `serve`. A flag overrides its environment variable. */
export function serveOptions(): Option[] {
  return Object.values(SETTINGS).map(toOption);
}

/**
 * Adds settings to a command as options. commander can't infer the types of flags from a table, so
 * `ServeFlags` declares the types.
 *
 * @param show changes how help shows an option
 */
export function addSettings<
  A extends unknown[],
  F extends OptionValues,
  K extends keyof ServeFlags,
>(
  command: Command<A, F>,
  names: readonly K[],
  show: (option: Option) => Option = (option) => option,
): Command<A, F & Pick<ServeFlags, K>> {
  for (const name of names) command.addOption(show(toOption(SETTINGS[name])));
  return command as never;
}

/**
 * Returns commander's option for a setting. The flag of a boolean setting has an optional value,
 * and the flag alone means true. If the flag took no value, commander's `.env()` would read
 * `HOOKRELAY_TUNNEL=false` as true.
 */
function toOption({ flags, about, parse, fallback, shown }: ServerSetting<unknown>): Option {
  const option = new Option(flags, about).argParser(parse);
  option.env(`HOOKRELAY_${option.name().toUpperCase().replaceAll('-', '_')}`);
  if (shown !== null) option.default(fallback, shown);
  return option;
}
