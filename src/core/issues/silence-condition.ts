import type { ConditionSeen } from './condition-streak.ts';

export interface ExpectationSeen {
  userId: string;
  /** ms. */
  expectEveryMs: number;
  expectedSince: number;
  lastEvent: { id: string; receivedAt: number } | null;
}

/** Returns the time after which the endpoint is silent for too long, Unix ms. */
export function silentAt({ expectEveryMs, expectedSince, lastEvent }: ExpectationSeen): number {
  return Math.max(expectedSince, lastEvent?.receivedAt ?? 0) + expectEveryMs;
}

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
