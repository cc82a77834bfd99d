import type { Logger, WakingClock } from '../core/runtime.ts';
import type { UpkeepStore } from '../store/contract/upkeep.ts';
import { BackgroundLoop } from './background-loop.ts';
import { TrustedClock } from './trusted-clock.ts';

const EVERY_MS = 60_000;
const SLICE_EVENTS = 200;

/** Deletes events older than `retentionMs` that have no open delivery. */
export function createRetention(options: {
  upkeep: UpkeepStore;
  retentionMs: number;
  clock: WakingClock;
  log: Logger;
}): BackgroundLoop {
  const { upkeep, retentionMs, clock, log } = options;
  const trusted = new TrustedClock(clock, log, 'retention');
  return new BackgroundLoop({
    name: 'retention',
    log,
    everyMs: EVERY_MS,
    async slice() {
      const now = trusted.now();
      if (now === null) return false;
      return (await upkeep.retireSlice(now - retentionMs, SLICE_EVENTS)).more;
    },
  });
}
