import type { Clock, Logger } from '../core/runtime/runtime.ts';
import type { ReplayStore } from '../store/contract/replays.ts';
import { BackgroundLoop } from './background-loop.ts';
import { SlicePace } from './slice-pace.ts';
import type { WorkRate } from './work-rate.ts';

const EVERY_MS = 60_000;
/** The pace, in events. The pauses are the same beside captures, because a person waits. */
const TERMS = {
  ...{ least: 10, mostBeside: 50, mostAlone: 1000 },
  ...{ pauseTimes: 0, leastPauseMs: 5, mostPauseMs: 5 },
};
/** The most deliveries that one commit opens, for each event of the slice. */
const DELIVERIES_PER_EVENT = 2;

/** Runs bulk replays. Calls `onQueued` with the destinations that have new pending deliveries. */
export function createReplayJobs(options: {
  replays: Pick<ReplayStore, 'workOff'>;
  /** Captures, which go first. Deliveries don't, because a replay makes them itself. */
  others: WorkRate;
  clock: Clock;
  log: Logger;
  onQueued(destinationKeys: ReadonlySet<number>): void;
}): BackgroundLoop {
  const { replays, others, clock, log, onQueued } = options;
  const pace = new SlicePace(TERMS, others, clock);
  return new BackgroundLoop({
    name: 'bulk replay',
    log,
    everyMs: EVERY_MS,
    async slice() {
      const worked = await pace.run(
        (events) =>
          replays.workOff(clock.now(), { events, deliveries: DELIVERIES_PER_EVENT * events }),
        (done) => ({ units: done?.replayed ?? 0, heldMs: done?.heldMs ?? 0 }),
      );
      if (worked) onQueued(worked.unclaimed);
      return worked !== null;
    },
    pauseMs: () => pace.pauseMs(),
  });
}
