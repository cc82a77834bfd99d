import type { Logger, WakingClock } from '../core/runtime/runtime.ts';
import type { UpkeepStore } from '../store/contract/upkeep.ts';
import { createAgeLoop } from './age-loop.ts';
import type { BackgroundLoop } from './background-loop.ts';

const EVERY_MS = 60_000;
const SLICE_EVENTS = 200;

/** Deletes events that are older than their endpoint's retention and have no open delivery. */
export function createRetention({
  upkeep,
  retentionMs,
  onDeleted,
  ...parts
}: {
  upkeep: UpkeepStore;
  /** The retention of endpoints without their own, ms. Null keeps events forever. */
  retentionMs: number | null;
  clock: WakingClock;
  log: Logger;
  onDeleted(): void;
}): BackgroundLoop {
  return createAgeLoop({
    ...parts,
    name: 'retention',
    everyMs: EVERY_MS,
    async slice(now) {
      const before = retentionMs === null ? null : now - retentionMs;
      const { removed, more } = await upkeep.retireSlice({ before, now }, SLICE_EVENTS);
      if (removed > 0) onDeleted();
      return more;
    },
  });
}
