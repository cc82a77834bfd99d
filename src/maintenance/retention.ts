import { ClockWatch } from '../core/clock-watch.ts';
import type { Logger, WakingClock } from '../core/runtime.ts';
import type { UpkeepStore } from '../store/contract/upkeep.ts';
import { BackgroundLoop } from './background-loop.ts';

const EVERY_MS = 60_000;
const SLICE_EVENTS = 200;
/** Most drift between wall clock and elapsed time. Beyond it ages can't be trusted. */
const MAX_CLOCK_DRIFT_MS = 10 * 60_000;

/** How long both clocks must agree before ages are trusted again, ms. */
const CALM_MS = 24 * 3_600_000;

/**
 * Deletes events older than `retentionMs` that have no open delivery. A clock set
 * a year ahead must not delete a year of events: when wall clock and elapsed time
 * drift apart, retention pauses until they agree for a day, or until a restart.
 * A restart trusts the wall clock. Time that a machine slept counts as elapsed:
 * its events have aged.
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
