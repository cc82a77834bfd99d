import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '../../config.ts';
import { type ErrorCode, HookrelayError } from '../../core/errors.ts';
import { createLogger } from '../../core/logger.ts';
import type { RunningServer } from '../../serve.ts';
import { ApiClient } from '../api-client.ts';
import type { ProfileFile } from '../profile.ts';

/** A server on this machine answers sooner, ms. */
const PROBE_TIMEOUT_MS = 3000;
/** How long one that is just starting is waited for, ms. */
const STARTING_MS = 3000;
const PROBE_EVERY_MS = 100;

/** The hookrelay of this machine, and how to end it if it is ours. */
export interface LocalServer {
  url: string;
  /** Does nothing for one that ran already. */
  stop(): Promise<void>;
}

/** Where a server of this configuration is reached from this machine. */
export function localUrl({ host, port, tls }: Pick<Config, 'host' | 'port' | 'tls'>): string {
  const isWildcard = host === '0.0.0.0' || host === '::';
  const shown = isWildcard ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host;
  return `${tls ? 'https' : 'http'}://${shown}:${port}`;
}

/**
 * The server that runs at the configured address, or a new one in this process,
 * which ends with it.
 *
 * Throws `address_in_use` when something else is there, and `data_dir_locked`
 * when a server has the data directory, but at an address that isn't known.
 */
export async function localServer(
  config: Config,
  profile: ProfileFile,
  note: (text: string) => void,
): Promise<LocalServer> {
  const url = localUrl(config);
  if (config.port !== 0 && (await isHookrelay(url, profile))) return running(url, note);
  // Only now: whoever has a server needn't load one.
  const { startServer } = await import('../../serve.ts');
  const stream = { write: (text: string) => note(text.trimEnd()), on() {} };
  const log = createLogger({ format: 'pretty', level: 'warn', stream });
  let server: RunningServer;
  try {
    server = await startServer(config, log);
  } catch (error) {
    if (!isTaken(error)) throw error;
    // Two commands at once: the other one may be about to listen there.
    const deadline = performance.now() + STARTING_MS;
    while (performance.now() < deadline) {
      if (await isHookrelay(url, profile)) return running(url, note);
      await sleep(PROBE_EVERY_MS);
    }
    throw elsewhere(error, url);
  }
  note(`started a server at ${server.url}, data in ${config.dataDir}`);
  return server;
}

function running(url: string, note: (text: string) => void): LocalServer {
  note(`using the server that runs at ${url}`);
  return { url, stop: async () => {} };
}

const TAKEN: ReadonlySet<ErrorCode> = new Set(['data_dir_locked', 'address_in_use']);

function isTaken(error: unknown): error is HookrelayError {
  return error instanceof HookrelayError && TAKEN.has(error.code);
}

function elsewhere(error: HookrelayError, url: string): HookrelayError {
  return error.code === 'data_dir_locked'
    ? new HookrelayError(error.code, `${error.message}, and not at ${url}`, {
        hint: 'name its address with --url, or another data directory with --data-dir',
        cause: error,
      })
    : new HookrelayError(error.code, `something that is no hookrelay listens at ${url}`, {
        hint: 'choose another --port, or name a server with --url',
        cause: error,
      });
}

/** Told by what only hookrelay says to a caller without a token. */
async function isHookrelay(url: string, profile: ProfileFile): Promise<boolean> {
  const client = new ApiClient({ url, apiToken: null, profile });
  try {
    await client.public('GET', '/api/me', { timeoutMs: PROBE_TIMEOUT_MS });
    return false;
  } catch (error) {
    return error instanceof HookrelayError && error.code === 'missing_token';
  }
}
