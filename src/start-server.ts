import type { RunningServer } from './compose-server.ts';
import type { Config } from './config.ts';
import { CloseStack } from './core/close-stack.ts';
import type { Logger } from './core/runtime.ts';
import { CLIENT_LIMITS, type ClientLimits } from './http/client-limits.ts';
import { refuseMissingSecret } from './server-keys.ts';
import { loadStore } from './store/open.ts';

/**
 * Opens the store and starts the server on it. Throws `HookrelayError` when it
 * can't, after closing whatever it opened. `limits` bound what its clients hold.
 */
export async function startServer(
  config: Config,
  log: Logger,
  limits: ClientLimits = CLIENT_LIMITS,
): Promise<RunningServer> {
  refuseMissingSecret(config);
  const openStore = await loadStore(config.database);
  // In this order: the store's thread opens it while this one loads the rest of the code.
  const opening = openStore({
    dataDir: config.dataDir,
    log,
    onFatal(error) {
      log.error('the storage failed; nothing can be promised any more', { error });
      process.exit(1);
    },
  });
  const composing = import('./compose-server.ts');
  const store = await opening;
  const opened = new CloseStack();
  opened.defer(() => store.close());
  try {
    const { composeServer } = await composing;
    return await composeServer(store, config, log, limits, opened);
  } catch (error) {
    await opened.close().catch((failure) => {
      log.error('not all that was opened could be closed', { error: failure });
    });
    throw error;
  }
}
