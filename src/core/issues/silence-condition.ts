import type { ConditionSeen } from './condition-course.ts';

export interface ExpectationSeen {
  userId: string;
  /** ms. */
  expectEveryMs: number;
  expectedSince: number;
  lastEvent: { id: string; receivedAt: number } | null;
}

/** Whether an endpoint has had no event for longer than it should. */
export function silenceCondition(
  { userId, expectEveryMs, expectedSince, lastEvent }: ExpectationSeen,
  now: number,
): ConditionSeen {
  const since = Math.max(expectedSince, lastEvent?.receivedAt ?? 0);
  const at = since + expectEveryMs;
  return at < now
    ? { userId, holds: true, sightings: [{ at, eventId: lastEvent?.id ?? null }] }
    : { userId, holds: false, sightings: [] };
}
