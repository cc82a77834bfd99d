import type { Config } from './config.ts';
import { createLogger } from './core/logger.ts';
import { packageVersion } from './core/resource.ts';
import { startServer } from './start-server.ts';

/**
 * Runs the server until SIGTERM or SIGINT, which drain it; a second signal exits
 * at once. Throws `HookrelayError` when it can't start.
 */
export async function serve(config: Config, { json }: { json: boolean }): Promise<void> {
  const log = createLogger({ format: config.logFormat });
  // Heard from before the ready line on: whoever acts on that may end us at once.
  const signalled = firstSignal();
  const server = await Promise.race([startServer(config, log), ...endsStart(config, signalled)]);
  if (typeof server === 'string') {
    log.info('stopped before it was ready', { signal: server });
    process.exit(0);
  }
  process.stderr.write(`hookrelay ${packageVersion()} is ready at ${server.url}\n`);
  if (server.firstAccountUrl !== null) {
    // Not by the log: this is for the person who started it, and works once. It begins like
    // the line before, so that whoever reads the rest as JSON lines knows both.
    process.stderr.write(
      `hookrelay has no account yet: create the first one at ${server.firstAccountUrl}\n`,
    );
  }
  if (json) process.stdout.write(`${JSON.stringify({ type: 'ready', url: server.url })}\n`);
  const signal = await signalled;
  log.info('draining', { signal });
  await server.stop();
  log.info('stopped');
}

/**
 * The signal that ends a start on PostgreSQL, which may wait for the database.
 * Nothing was answered yet, and the server rolls back what was under way. In a
 * data directory a start is short: it is finished, and then drained.
 */
function endsStart(
  { database }: Config,
  signalled: Promise<NodeJS.Signals>,
): Promise<NodeJS.Signals>[] {
  return database === null ? [] : [signalled];
}

/** The first of the signals that end a server; the second one ends the process. */
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
