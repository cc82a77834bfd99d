import type { Clock, Logger } from '../core/runtime/runtime.ts';
import type { ReplayStore } from '../store/contract/replays.ts';
import { BackgroundLoop } from './background-loop.ts';

const EVERY_MS = 60_000;
/** The rows that one commit changes at most. Such a commit delays captures by some milliseconds. */
const SLICE = { events: 50, deliveries: 100 };

/** Runs bulk replays. Calls `onQueued` with the destinations that have new pending deliveries. */
export function createReplayJobs(options: {
  replays: ReplayStore;
  clock: Clock;
  log: Logger;
  onQueued(destinationKeys: ReadonlySet<number>): void;
}): BackgroundLoop {
  const { replays, clock, log, onQueued } = options;
  return new BackgroundLoop({
    name: 'bulk replay',
    log,
    everyMs: EVERY_MS,
    async slice() {
      const worked = await replays.workOff(clock.now(), SLICE);
      if (worked) onQueued(worked.unclaimed);
      return worked !== null;
    },
  });
}
