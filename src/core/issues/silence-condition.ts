import type { ConditionSeen } from './condition-streak.ts';

export interface ExpectationSeen {
  userId: string;
  /** ms. */
  expectEveryMs: number;
  expectedSince: number;
  lastEvent: { id: string; receivedAt: number } | null;
}

/** After this time an endpoint has had no event for longer than it should, Unix ms. */
export function silentAt({ expectEveryMs, expectedSince, lastEvent }: ExpectationSeen): number {
  return Math.max(expectedSince, lastEvent?.receivedAt ?? 0) + expectEveryMs;
}

/** Whether an endpoint has had no event for longer than it should. */
export function silenceCondition(expectation: ExpectationSeen, now: number): ConditionSeen {
  const { userId, expectEveryMs, lastEvent } = expectation;
  const at = silentAt(expectation);
  return at < now
    ? {
        userId,
        holds: true,
        sightings: [{ at, eventId: lastEvent?.id ?? null }],
        terms: { expectEveryMs },
      }
    : { userId, holds: false, sightings: [] };
}
