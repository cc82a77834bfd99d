/** Newest requests that are judged. */
const JUDGED = 20;
/** This many failures among them open an issue. */
const OPENING_FAILURES = 10;

export interface OutcomesSeen {
  /** Newest first, at most `JUDGED`. */
  outcomes: readonly { passed: boolean }[];
  /** An earlier request has passed. */
  passedBefore: boolean;
}

/**
 * Whether an endpoint's requests fail verification. True when half of the newest fail and an
 * earlier one passed: a source that never passed is still being set up. False when all of the
 * newest pass. Otherwise null.
 */
export function verificationCondition({ outcomes, passedBefore }: OutcomesSeen): boolean | null {
  const failures = outcomes.filter(({ passed }) => !passed).length;
  const newest = outcomes.findIndex(({ passed }) => !passed);
  const hasPassed = passedBefore || outcomes.slice(newest + 1).some(({ passed }) => passed);
  const fails = failures >= OPENING_FAILURES && hasPassed;
  const allPass = failures === 0 && outcomes.length >= JUDGED;
  return fails ? true : allPass ? false : null;
}
