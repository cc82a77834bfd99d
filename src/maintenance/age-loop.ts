import type { Logger, WakingClock } from '../core/runtime/runtime.ts';
import { BackgroundLoop } from './background-loop.ts';
import { TrustedClock } from './trusted-clock.ts';

export interface AgeLoopOptions {
  name: string;
  everyMs: number;
  clock: WakingClock;
  log: Logger;
  /** Does the work at `now`, Unix ms. Returns true if more work is left. */
  slice(now: number): Promise<boolean>;
  /** See `BackgroundLoop`. */
  pauseMs?(): number;
}

/** Returns a loop for work that depends on ages. It pauses while the clock can't be trusted. */
export function createAgeLoop({ clock, slice, ...options }: AgeLoopOptions): BackgroundLoop {
  const trusted = new TrustedClock(clock, options.log, options.name);
  return new BackgroundLoop({
    ...options,
    async slice() {
      const now = trusted.now();
      return now !== null && slice(now);
    },
  });
}
