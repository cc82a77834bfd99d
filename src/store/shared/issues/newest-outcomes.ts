import { OUTCOMES } from '../../../core/issues/issue.ts';
import type { VerificationState } from '../../../core/proof/verification.ts';
import type { SourceOutcomes } from '../../contract/issues.ts';

export const PASSED_STATES = [
  'verified',
  'authenticated',
] as const satisfies readonly VerificationState[];

/**
 * Returns the newest outcomes of an endpoint.
 *
 * @param found the newest events of each state and the newest rejected requests, in any order. For
 *   each passing state, it has `OUTCOMES` + 1 events, to show whether an earlier event passed
 */
export function newestOutcomes(
  found: SourceOutcomes['outcomes'],
): Pick<SourceOutcomes, 'outcomes' | 'passedBefore'> {
  const newestFirst = found.toSorted((a, b) => b.at - a.at);
  return {
    outcomes: newestFirst.slice(0, OUTCOMES),
    passedBefore: newestFirst.slice(OUTCOMES).some(({ passed }) => passed),
  };
}
