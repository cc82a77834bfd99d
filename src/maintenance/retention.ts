import type { Logger, WakingClock } from '../core/runtime/runtime.ts';
import type { UpkeepStore } from '../store/contract/upkeep.ts';
import { BackgroundLoop } from './background-loop.ts';
import { TrustedClock } from './trusted-clock.ts';

const EVERY_MS = 60_000;
const SLICE_EVENTS = 200;

/** Deletes events that are older than their endpoint's retention and have no open delivery. */
export function createRetention(options: {
  upkeep: UpkeepStore;
  /** Of endpoints without a retention of their own; null keeps their events for ever. */
  retentionMs: number | null;
  clock: WakingClock;
  log: Logger;
  /** Called after events were deleted. */
  onDeleted(): void;
}): BackgroundLoop {
  const { upkeep, retentionMs, clock, log, onDeleted } = options;
  const trusted = new TrustedClock(clock, log, 'retention');
  return new BackgroundLoop({
    name: 'retention',
    log,
    everyMs: EVERY_MS,
    async slice() {
      const now = trusted.now();
      if (now === null) return false;
      const before = retentionMs === null ? null : now - retentionMs;
      const { removed, more } = await upkeep.retireSlice({ before, now }, SLICE_EVENTS);
      if (removed > 0) onDeleted();
      return more;
    },
  });
}
