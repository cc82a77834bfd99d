import { OUTCOMES } from '../../../core/issues/issue.ts';
import type { VerificationState } from '../../../core/proof/verification.ts';
import type { SourceOutcomes } from '../../contract/issues.ts';

export const PASSED_STATES = [
  'verified',
  'authenticated',
] as const satisfies readonly VerificationState[];

/**
 * The newest of an endpoint's outcomes.
 *
 * @param found the newest of each kind (each state of events, and rejected requests), in
 *   any order; of each state that passes, one more than `OUTCOMES`
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
