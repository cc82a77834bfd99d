/** Newest requests that are judged. */
const JUDGED = 20;
/** So many failures of those open an issue. */
const OPENING_FAILURES = 10;

export interface OutcomesSeen {
  /** Newest first, at most `JUDGED`. */
  outcomes: readonly { passed: boolean }[];
  /** Whether any before those has passed. */
  passedBefore: boolean;
}

/**
 * Whether an endpoint's requests fail their verification: half of the newest do, and some
 * passed before. A source that never passed is being set up. It is over when all of the
 * newest pass. Null where it is neither clearly so nor clearly over.
 */
export function verificationCondition({ outcomes, passedBefore }: OutcomesSeen): boolean | null {
  const failures = outcomes.filter(({ passed }) => !passed).length;
  const newest = outcomes.findIndex(({ passed }) => !passed);
  const hasPassed = passedBefore || outcomes.slice(newest + 1).some(({ passed }) => passed);
  const fails = failures >= OPENING_FAILURES && hasPassed;
  const allPass = failures === 0 && outcomes.length >= JUDGED;
  return fails ? true : allPass ? false : null;
}
