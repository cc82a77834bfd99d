import { ClockWatch } from '../core/clock-watch.ts';
import type { Logger, WakingClock } from '../core/runtime.ts';
import type { UpkeepStore } from '../store/contract/upkeep.ts';
import { BackgroundLoop } from './background-loop.ts';

const EVERY_MS = 60_000;
const SLICE_EVENTS = 200;
/** Clocks that disagree by more: the wall clock was changed, and ages can't be trusted. */
const MAX_CLOCK_DRIFT_MS = 10 * 60_000;

/** How long they must agree again before ages are trusted. */
const CALM_MS = 24 * 3_600_000;

/**
 * Deletes events older than `retentionMs`, those with open deliveries excepted.
 * A clock set a year ahead must not delete a year of events: when wall and
 * elapsed time have come apart, it pauses until they have agreed for a day, or
 * until a restart takes the wall clock as it is. A machine that slept is no such
 * case: its events have aged meanwhile.
 */
export function createRetention(options: {
  upkeep: UpkeepStore;
  retentionMs: number;
  clock: WakingClock;
  log: Logger;
}): BackgroundLoop {
  const { upkeep, retentionMs, clock, log } = options;
  const watch = new ClockWatch(clock, MAX_CLOCK_DRIFT_MS);
  let pausedUntil = Number.NEGATIVE_INFINITY;
  return new BackgroundLoop({
    name: 'retention',
    log,
    everyMs: EVERY_MS,
    async slice() {
      const step = watch.step();
      if (step !== 0) {
        pausedUntil = clock.elapsed() + CALM_MS;
        log.warn('the clock jumped; retention pauses for a day or until a restart', {
          drift_ms: step,
        });
      }
      if (clock.elapsed() < pausedUntil) return false;
      return (await upkeep.retireSlice(clock.now() - retentionMs, SLICE_EVENTS)).more;
    },
  });
}
