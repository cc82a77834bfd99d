import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '../../config/config.ts';
import { HookrelayError } from '../../core/errors.ts';
import { listeningUrl } from '../../core/http/listening-url.ts';
import { createLogger } from '../../core/log/logger.ts';
import { ApiClient } from '../client/api-client.ts';
import type { ProfileFile } from '../client/profile.ts';
import { hasCode, usageError } from '../command-error.ts';
import { optionsNotMet } from './server-options.ts';

/** Deadline of a request to a server on this machine, ms. */
const PROBE_TIMEOUT_MS = 3000;
/** Longest wait for a starting server, ms. A busy machine takes seconds. */
const STARTING_MS = 5000;
const PROBE_EVERY_MS = 100;

export interface LocalServer {
  url: string;
  /** Stops the server if this process runs it. */
  stop(): Promise<void>;
}

/**
 * Starts a server in this process, or finds the server that already uses the data directory.
 *
 * Only the lock on the data directory proves that a server belongs to this person. A server at the
 * address may be another person's: `listen` must not make an account there or send it webhooks.
 *
 * Throws `address_in_use` if another program listens at the address, and `data_dir_locked` if a
 * command uses the data directory. Throws `config_invalid` if a running server may lack some of
 * `options`.
 *
 * @param options the typed options of the server, such as `--port`
 */
export async function localServer(
  config: Config,
  options: readonly string[],
  profile: ProfileFile,
  note: (text: string) => void,
): Promise<LocalServer> {
  // Import late, because most commands don't need the server's code.
  const { startServer } = await import('../../server/start-server.ts');
  const stream = { write: (text: string) => note(text.trimEnd()), on() {} };
  const log = createLogger({ format: 'pretty', level: 'warn', stream });
  try {
    const server = await startServer(config, log);
    note(`started a server at ${server.url}, data in ${config.dataDir}`);
    return { url: server.localUrl, stop: () => server.stop() };
  } catch (error) {
    if (!(error instanceof HookrelayError)) throw error;
    if (error.code === 'address_in_use') throw await stranger(error, listeningUrl(config), profile);
    if (error.code !== 'data_dir_locked') throw error;
    const url = await holderUrl(error, config, profile);
    refuseUnmet(options, config, url);
    note(usingNote(url));
    return { url, stop: async () => {} };
  }
}

/** Waits while the server starts. */
async function holderUrl(
  error: HookrelayError,
  config: Config,
  profile: ProfileFile,
): Promise<string> {
  const { dataDirHolder } = await import('../../store/open.ts');
  // Another command may have started its server a moment ago.
  const deadline = performance.now() + STARTING_MS;
  while (performance.now() < deadline) {
    const url = (await dataDirHolder(config.dataDir))?.url ?? null;
    if (url !== null && (await isHookrelay(url, profile))) return url;
    await sleep(PROBE_EVERY_MS);
  }
  throw new HookrelayError(error.code, `${error.message}, and no server answers there`, {
    hint: 'wait until that process ends, or use another --data-dir',
    cause: error,
  });
}

function refuseUnmet(options: readonly string[], config: Config, url: string): void {
  const unmet = optionsNotMet(options, config, url);
  if (unmet.length === 0) return;
  throw usageError(
    `a server at ${url} already uses ${config.dataDir}: ${unmet.join(', ')} would not apply to it`,
    `remove ${unmet.length > 1 ? 'them' : 'it'}, or stop that server, and listen starts its own`,
  );
}

async function stranger(
  cause: HookrelayError,
  url: string,
  profile: ProfileFile,
): Promise<HookrelayError> {
  return (await isHookrelay(url, profile))
    ? new HookrelayError(cause.code, `a hookrelay with another data directory listens at ${url}`, {
        hint: `log in to it (hookrelay login --url ${url}), or choose another --port`,
        cause,
      })
    : new HookrelayError(cause.code, `another program than hookrelay listens at ${url}`, {
        hint: 'choose another --port, or name a server with --url',
        cause,
      });
}

export function usingNote(url: string): string {
  return `using the server that runs at ${url}`;
}

/** Asks without a token. Only hookrelay answers that with the error code `missing_token`. */
async function isHookrelay(url: string, profile: ProfileFile): Promise<boolean> {
  const client = new ApiClient({ url, apiToken: null, profile });
  try {
    await client.public('GET /api/me', { timeoutMs: PROBE_TIMEOUT_MS });
    return false;
  } catch (error) {
    return hasCode(error, 'missing_token');
  }
}

export async function isWelcome(client: ApiClient): Promise<boolean> {
  try {
    await client.call('GET /api/me', { timeoutMs: PROBE_TIMEOUT_MS });
    return true;
  } catch (error) {
    if (error instanceof HookrelayError) return false;
    throw error;
  }
}
