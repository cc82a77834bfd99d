import type { Config } from '../config/config.ts';
import type { Logger } from '../core/runtime/runtime.ts';
import { announceStart } from './announce-start.ts';
import { startServer } from './start-server.ts';

/**
 * Runs the server until SIGTERM or SIGINT, and then drains it. A second signal exits the process at
 * once. A signal before the server is ready does the same. SIGHUP reads the certificate again.
 *
 * Throws `HookrelayError` if the server can't start, or if another program has taken over the data.
 */
export async function serve(
  config: Config,
  log: Logger,
  { json }: { json: boolean },
): Promise<void> {
  const signalled = firstSignal();
  // Without a listener, SIGHUP ends the process. A server that still starts reads the certificate
  // when it listens.
  let readCertificate = () => {};
  process.on('SIGHUP', () => readCertificate());
  const server = await Promise.race([startServer(config, log), signalled]);
  if (typeof server === 'string') {
    log.info('stopped before it was ready', { signal: server });
    process.exit(0);
  }
  readCertificate = () => server.readCertificate();
  announceStart(server, config, log, { json });
  const reason = await Promise.race([signalled, server.outdated]);
  if (typeof reason === 'string') log.info('draining', { signal: reason });
  else log.error('draining: a newer hookrelay upgraded the database', { reason: reason.message });
  await server.stop(config.drainDelayMs);
  log.info('stopped');
  if (typeof reason !== 'string') throw reason;
}

/** Resolves with the first SIGTERM or SIGINT. A second one exits the process. */
function firstSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    let received = false;
    for (const name of ['SIGTERM', 'SIGINT'] as const) {
      process.on(name, () => {
        if (received) process.exit(1);
        received = true;
        resolve(name);
      });
    }
  });
}
