import type { Logger, WakingClock } from '../core/runtime/runtime.ts';
import type { UpkeepStore } from '../store/contract/upkeep.ts';
import { createAgeLoop } from './age-loop.ts';
import type { BackgroundLoop } from './background-loop.ts';
import { DELETION_TERMS } from './deletion-terms.ts';
import { SlicePace } from './slice-pace.ts';
import type { WorkRate } from './work-rate.ts';

const EVERY_MS = 60_000;

/** Deletes events that are older than their endpoint's retention and have no open delivery. */
export function createRetention({
  upkeep,
  retentionMs,
  others,
  onDeleted,
  ...parts
}: {
  upkeep: Pick<UpkeepStore, 'retireSlice'>;
  /** The retention of endpoints without their own, ms. Null keeps events forever. */
  retentionMs: number | null;
  /** The captures and deliveries that go first. */
  others: WorkRate;
  clock: WakingClock;
  log: Logger;
  onDeleted(): void;
}): BackgroundLoop {
  const pace = new SlicePace(DELETION_TERMS, others, parts.clock);
  return createAgeLoop({
    ...parts,
    name: 'retention',
    everyMs: EVERY_MS,
    async slice(now) {
      const before = retentionMs === null ? null : now - retentionMs;
      const { removed, more } = await pace.run(
        (most) => upkeep.retireSlice({ before, now }, most),
        ({ removed, heldMs }) => ({ units: removed, heldMs }),
      );
      if (removed > 0) onDeleted();
      return more;
    },
    pauseMs: () => pace.pauseMs(),
  });
}
