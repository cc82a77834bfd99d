import { checkSmtp } from '../core/channels/check-smtp.ts';
import type { SmtpSettings } from '../core/channels/smtp-settings.ts';
import type { BreakerTerms } from '../core/flow/breaker-terms.ts';
import type { Limits } from '../core/limits.ts';
import type { Plan } from '../core/model.ts';
import { checkDatabase, checkMetricsToken, checkSecretKey, checkTls } from './check-settings.ts';
import { defaultDataDir } from './data-dir.ts';
import { SETTINGS, type ServeFlags } from './settings.ts';

/** All settings of the operator: checked, in plain units, and deeply frozen. */
export interface Config {
  readonly host: string;
  /** 0 chooses any free port. */
  readonly port: number;
  /** An absolute path. */
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
  /** Time between SIGTERM and the end of listening. Readiness fails during that time. */
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

/**
 * How long a node of a cluster still listens after SIGTERM, ms. Load balancers check readiness only
 * every few seconds.
 */
const NODES_DRAIN_DELAY_MS = 5000;

/**
 * Deletes empty variables from `env`, because commander takes an empty variable as a value. Call it
 * before commander parses.
 */
export function dropEmptyVariables(env: NodeJS.ProcessEnv): void {
  for (const name of Object.keys(env)) {
    if (name.startsWith('HOOKRELAY_') && env[name] === '') delete env[name];
  }
}

/**
 * Returns the configuration that the parsed flags describe. Reads two variables of `env`
 * (`HOOKRELAY_SECRET_KEY`, `XDG_DATA_HOME`), and no file.
 *
 * Throws `config_invalid` for settings that contradict each other. Also checks the settings that
 * may contain a secret, because commander's error would print their value.
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
