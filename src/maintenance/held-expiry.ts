import type { Logger, WakingClock } from '../core/runtime/runtime.ts';
import type { UpkeepStore } from '../store/contract/upkeep.ts';
import { createAgeLoop } from './age-loop.ts';
import type { BackgroundLoop } from './background-loop.ts';

const EVERY_MS = 60_000;
const SLICE_DELIVERIES = 500;

/** Ends deliveries that an open breaker has held for longer than their destination's `hold`. */
export function createHeldExpiry({
  upkeep,
  ...parts
}: {
  upkeep: Pick<UpkeepStore, 'expireHeldSlice'>;
  clock: WakingClock;
  log: Logger;
}): BackgroundLoop {
  return createAgeLoop({
    ...parts,
    name: 'the end of held deliveries',
    everyMs: EVERY_MS,
    slice: async (now) => (await upkeep.expireHeldSlice(now, SLICE_DELIVERIES)).more,
  });
}
