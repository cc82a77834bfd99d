import { setMaxListeners } from 'node:events';

/** As a shell reports a process that a second Ctrl-C killed: 128 and the number of SIGINT. */
const EXIT_INTERRUPTED = 130;

/**
 * Aborted by the first Ctrl-C (or SIGTERM, or SIGHUP), which is how following
 * ends: no failure, exit code 0. A second one ends the process where it stands.
 */
export function endSignal(): { signal: AbortSignal; end(): void; release(): void } {
  const controller = new AbortController();
  // Each request under way listens to it.
  setMaxListeners(0, controller.signal);
  const names = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  const onSignal = () => {
    if (controller.signal.aborted) process.exit(EXIT_INTERRUPTED);
    controller.abort();
  };
  for (const name of names) process.on(name, onSignal);
  return {
    signal: controller.signal,
    end: () => controller.abort(),
    release() {
      for (const name of names) process.off(name, onSignal);
    },
  };
}
