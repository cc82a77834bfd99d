import type { Logger, WakingClock } from '../core/runtime/runtime.ts';
import { BackgroundLoop } from './background-loop.ts';
import { TrustedClock } from './trusted-clock.ts';

export interface AgeLoopOptions {
  name: string;
  everyMs: number;
  clock: WakingClock;
  log: Logger;
  /** Does the work that depends on ages. `now` is in Unix ms. Returns true if more work is left. */
  slice(now: number): Promise<boolean>;
}

/** Returns a loop for work that depends on ages. It pauses while nobody can trust the clock. */
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
