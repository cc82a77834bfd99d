import type { Logger, WakingClock } from '../core/runtime/runtime.ts';
import type { UpkeepStore } from '../store/contract/upkeep.ts';
import { BackgroundLoop } from './background-loop.ts';
import { TrustedClock } from './trusted-clock.ts';

const EVERY_MS = 60_000;
const SLICE_DELIVERIES = 500;

/** Ends deliveries that an open breaker has held back for longer than their destination's `hold`. */
export function createHeldExpiry(options: {
  upkeep: Pick<UpkeepStore, 'expireHeldSlice'>;
  clock: WakingClock;
  log: Logger;
}): BackgroundLoop {
  const { upkeep, clock, log } = options;
  const trusted = new TrustedClock(clock, log, 'the end of held deliveries');
  return new BackgroundLoop({
    name: 'end of held deliveries',
    log,
    everyMs: EVERY_MS,
    async slice() {
      const now = trusted.now();
      if (now === null) return false;
      return (await upkeep.expireHeldSlice(now, SLICE_DELIVERIES)).more;
    },
  });
}
