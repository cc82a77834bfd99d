import type { ConditionSeen } from './condition-course.ts';

/** Newest requests that are judged. */
const JUDGED = 20;
/** So many failures of those open an issue. */
const OPENING_FAILURES = 10;

export interface OutcomesSeen {
  userId: string;
  /** Newest first, at most `JUDGED`. */
  outcomes: readonly { at: number; passed: boolean; eventId: string | null }[];
  /** Whether any before those has passed. */
  passedBefore: boolean;
}

/**
 * Whether an endpoint's requests fail their verification: half of the newest do, and some
 * passed before. A source that never passed is being set up. It is over when all of the
 * newest pass.
 */
export function verificationCondition({
  userId,
  outcomes,
  passedBefore,
}: OutcomesSeen): ConditionSeen {
  const failures = outcomes.filter(({ passed }) => !passed);
  const newest = outcomes.findIndex(({ passed }) => !passed);
  const hasPassed = passedBefore || outcomes.slice(newest + 1).some(({ passed }) => passed);
  const fails = failures.length >= OPENING_FAILURES && hasPassed;
  const allPass = failures.length === 0 && outcomes.length >= JUDGED;
  return { userId, holds: fails ? true : allPass ? false : null, sightings: failures.toReversed() };
}
