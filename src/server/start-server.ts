import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '../config/config.ts';
import { type ErrorCode, HookrelayError } from '../core/errors.ts';
import { CloseStack } from '../core/runtime/close-stack.ts';
import type { Logger } from '../core/runtime/runtime.ts';
import { spellDuration } from '../core/text/duration.ts';
import { CpuUse } from '../core/turns/cpu-use.ts';
import { CLIENT_LIMITS, type ClientLimits } from '../ingress/client-limits.ts';
import { loadStore, type OpenStore } from '../store/open.ts';
import type { RunningServer } from './compose-server.ts';
import { refuseMissingSecret } from './server-keys.ts';

/** Delay between two tries while the database is unreachable, ms. */
const RETRY_MS = 1000;
/** The shortest interval between two logs of the same reason, ms. */
const LOG_EVERY_MS = 30_000;
/**
 * Errors of a database that is unreachable, slow or starting. Only these can end without an
 * operator.
 */
const PASSING: ReadonlySet<ErrorCode> = new Set(['storage_unavailable', 'overloaded']);

/**
 * Opens the store and starts the server on it. Retries for up to `config.databaseWaitMs` while the
 * database is unreachable. Throws `HookrelayError` if the server can't start.
 */
export async function startServer(
  config: Config,
  log: Logger,
  limits: ClientLimits = CLIENT_LIMITS,
): Promise<RunningServer> {
  refuseMissingSecret(config);
  const openStore = await loadStore(config.database);
  const waitUntil = performance.now() + config.databaseWaitMs;
  let logged = { reason: '', at: 0 };
  for (;;) {
    try {
      return await start(openStore, config, log, limits);
    } catch (error) {
      const isPassing = error instanceof HookrelayError && PASSING.has(error.code);
      const now = performance.now();
      if (!isPassing || now >= waitUntil) throw error;
      if (error.message !== logged.reason || now - logged.at >= LOG_EVERY_MS) {
        logged = { reason: error.message, at: now };
        const givesUpIn = spellDuration(1000 * Math.ceil((waitUntil - now) / 1000));
        log.warn('the server waits for the database', {
          reason: error.message,
          hint: error.hint,
          gives_up_in: givesUpIn,
        });
      }
    }
    await sleep(RETRY_MS);
  }
}

async function start(
  openStore: OpenStore,
  config: Config,
  log: Logger,
  limits: ClientLimits,
): Promise<RunningServer> {
  // The store opens in its thread while this thread loads the rest of the code.
  const cpu = new CpuUse(() => performance.now());
  const opening = openStore({
    dataDir: config.dataDir,
    log,
    cpu,
    onFatal(error) {
      log.error('the storage failed; the server stops', { error });
      process.exit(1);
    },
  });
  const composing = import('./compose-server.ts');
  const store = await opening;
  const opened = new CloseStack();
  opened.defer(() => store.close());
  try {
    const { composeServer } = await composing;
    return await composeServer({ store, config, log, cpu }, limits, opened);
  } catch (error) {
    await opened.close().catch((failure) => {
      log.error('a part of the server could not be closed', { error: failure });
    });
    throw error;
  }
}
