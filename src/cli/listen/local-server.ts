import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '../../config.ts';
import { HookrelayError } from '../../core/errors.ts';
import { listeningUrl } from '../../core/http/listening-url.ts';
import { createLogger } from '../../core/logger.ts';
import { ApiClient } from '../client/api-client.ts';
import type { ProfileFile } from '../client/profile.ts';
import { usageError } from '../command-error.ts';
import { optionsNotMet } from './server-options.ts';

/** A server on this machine answers sooner, ms. */
const PROBE_TIMEOUT_MS = 3000;
/** How long one that is just starting is waited for, ms: a busy machine takes its time. */
const STARTING_MS = 5000;
const PROBE_EVERY_MS = 100;

/** The server of the data directory, and how to end it if it is in this process. */
export interface LocalServer {
  url: string;
  /** Does nothing for one that ran already. */
  stop(): Promise<void>;
}

/**
 * Starts a server in this process, or finds the one that has the data directory.
 *
 * Only the lock on the data directory tells that a server is one's own. What
 * merely listens at the address may be another person's: it is given no
 * account and no webhooks.
 *
 * Throws `address_in_use` when something else is there, `data_dir_locked` when a
 * command has the data directory, and `config_invalid` when a server has it that
 * may not have the options.
 *
 * @param options those of a server that were typed, as `--port`
 */
export async function localServer(
  config: Config,
  options: readonly string[],
  profile: ProfileFile,
  note: (text: string) => void,
): Promise<LocalServer> {
  // Only now: whoever has a server needn't load one.
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

/** The URL that the server on the data directory has noted for itself. */
async function holderUrl(
  error: HookrelayError,
  config: Config,
  profile: ProfileFile,
): Promise<string> {
  const { dataDirHolder } = await import('../../store/open.ts');
  // Two commands at once: the other one may be about to listen.
  const deadline = performance.now() + STARTING_MS;
  while (performance.now() < deadline) {
    const url = (await dataDirHolder(config.dataDir))?.url ?? null;
    if (url !== null && (await isHookrelay(url, profile))) return url;
    await sleep(PROBE_EVERY_MS);
  }
  throw new HookrelayError(error.code, `${error.message}, and it is no server that answers`, {
    hint: 'wait for it to end, or use another data directory with --data-dir',
    cause: error,
  });
}

function refuseUnmet(options: readonly string[], config: Config, url: string): void {
  const unmet = optionsNotMet(options, config, url);
  if (unmet.length === 0) return;
  throw usageError(
    `a server runs on ${config.dataDir} already, at ${url}: ${unmet.join(', ')} would not apply to it`,
    `leave ${unmet.length > 1 ? 'them' : 'it'} out, or stop that server: listen starts one then`,
  );
}

async function stranger(
  cause: HookrelayError,
  url: string,
  profile: ProfileFile,
): Promise<HookrelayError> {
  return (await isHookrelay(url, profile))
    ? new HookrelayError(cause.code, `a hookrelay of another data directory listens at ${url}`, {
        hint: `log in to it (hookrelay login --url ${url}), or choose another --port`,
        cause,
      })
    : new HookrelayError(cause.code, `something that is no hookrelay listens at ${url}`, {
        hint: 'choose another --port, or name a server with --url',
        cause,
      });
}

export function usingNote(url: string): string {
  return `using the server that runs at ${url}`;
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

/** Whether a server answers there that knows who calls. */
export async function isWelcome(client: ApiClient): Promise<boolean> {
  try {
    await client.call('GET', '/api/me', { timeoutMs: PROBE_TIMEOUT_MS });
    return true;
  } catch (error) {
    if (error instanceof HookrelayError) return false;
    throw error;
  }
}
