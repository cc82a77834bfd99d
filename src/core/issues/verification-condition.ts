/** The number of newest requests that decide. */
const JUDGED = 20;
/** The number of failures among them that opens an issue. */
const OPENING_FAILURES = 10;

export interface OutcomesSeen {
  /** Newest first, at most `JUDGED`. */
  outcomes: readonly { passed: boolean }[];
  /** True if an earlier request has passed. */
  passedBefore: boolean;
}

/**
 * Returns whether an endpoint's requests fail verification. True if half or more of the newest
 * requests fail and an earlier request passed. Without any pass, the source is still being set up.
 * False if all of the newest requests pass. Null otherwise.
 */
export function verificationCondition({ outcomes, passedBefore }: OutcomesSeen): boolean | null {
  const failures = outcomes.filter(({ passed }) => !passed).length;
  const newest = outcomes.findIndex(({ passed }) => !passed);
  const hasPassed = passedBefore || outcomes.slice(newest + 1).some(({ passed }) => passed);
  const fails = failures >= OPENING_FAILURES && hasPassed;
  const allPass = failures === 0 && outcomes.length >= JUDGED;
  return fails ? true : allPass ? false : null;
}
