import { setMaxListeners } from 'node:events';

/** Exit code after a second signal: 128 + SIGINT, as shells report it. */
const EXIT_INTERRUPTED = 130;

/**
 * Returns a signal that Ctrl-C, SIGTERM or SIGHUP aborts. A second one ends the process at once.
 */
export function endSignal(): { signal: AbortSignal; end(): void; release(): void } {
  const controller = new AbortController();
  // Each open request adds a listener, so the default limit is too low.
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
