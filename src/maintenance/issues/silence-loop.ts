import { silenceCondition } from '../../core/issues/silence-condition.ts';
import type { Clock, Logger } from '../../core/runtime.ts';
import type { Expectation, IssueStore } from '../../store/contract/issues.ts';
import { BackgroundLoop } from '../background-loop.ts';
import { ConditionRound } from './condition-round.ts';

/** Interval of the loop's own look at the time, ms. */
const TICK_MS = 250;
/** Interval between two looks for an expectation where there is none, ms. */
const NONE_EVERY_MS = 1000;
/** Silence is noticed within a second or a tenth of it: rounds come as often. */
const MOST_ROUND_MS = 1000;
/** Rounds take at most this share of the time. */
const MOST_SHARE = 0.05;
/** Interval of heartbeats, ms: half of the shortest expectation, in these bounds. */
const LEAST_BEAT_MS = 500;
const MOST_BEAT_MS = 5000;
/** An event that arrived may still be on its way to the disk, ms. */
const IN_FLIGHT_MS = 250;

/**
 * Opens and closes issues of endpoints that expect events. Time without a server counts for
 * no silence: while there are expectations, heartbeats note that a server is up. The start
 * counts the time since the last one as a gap. So does a jump of the clock.
 */
export function createSilenceLoop(options: {
  issues: IssueStore;
  clock: Clock;
  log: Logger;
}): BackgroundLoop {
  const { issues, clock, log } = options;
  let shortestMs = Number.POSITIVE_INFINITY;
  const round = new ConditionRound<Expectation>(issues, {
    kind: 'silence',
    page: (afterKey, limit) => issues.expectations(afterKey, limit),
    keyOf: ({ endpointKey }) => endpointKey,
    placeOf: ({ endpointKey }) => ({ endpointKey, destinationKey: 0 }),
    judge(expectation, now) {
      shortestMs = Math.min(shortestMs, expectation.expectEveryMs);
      return silenceCondition(expectation, now - IN_FLIGHT_MS);
    },
  });
  let isIdle = false;
  let startedAt = 0;
  let nextAt = Number.NEGATIVE_INFINITY;
  let beatMs = LEAST_BEAT_MS;
  let beatAt: number | null = null;

  async function beat(): Promise<void> {
    const now = clock.now();
    if (beatAt !== null && Math.abs(now - beatAt) < beatMs) return;
    await issues.heartbeat(now, beatAt === null ? 0 : 2 * beatMs);
    beatAt = now;
  }

  return new BackgroundLoop({
    name: 'the look for silence',
    log,
    everyMs: TICK_MS,
    async slice() {
      if (!round.isUnderWay) {
        startedAt = clock.monotonic();
        if (startedAt < nextAt) return false;
        const isNone = (await issues.expectations(0, 1)).length === 0;
        if (isNone && isIdle) {
          nextAt = startedAt + NONE_EVERY_MS;
          return false;
        }
        if (!isNone) await beat();
        shortestMs = Number.POSITIVE_INFINITY;
      }
      if (await round.slice(clock.now())) return true;
      isIdle = round.size === 0;
      beatMs = Math.max(LEAST_BEAT_MS, Math.min(MOST_BEAT_MS, shortestMs / 2));
      const tookMs = clock.monotonic() - startedAt;
      const everyMs = Math.max(TICK_MS, Math.min(MOST_ROUND_MS, shortestMs / 10));
      nextAt = startedAt + Math.max(everyMs, tookMs / MOST_SHARE);
      return false;
    },
  });
}
