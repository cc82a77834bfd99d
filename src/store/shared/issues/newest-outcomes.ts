import { OUTCOMES } from '../../../core/issues/issue.ts';
import type { VerificationState } from '../../../core/proof/verification.ts';
import type { SourceOutcomes } from '../../contract/issues.ts';

export const PASSED_STATES = [
  'verified',
  'authenticated',
] as const satisfies readonly VerificationState[];

/**
 * The newest outcomes of an endpoint.
 *
 * @param found the newest events of each state and the newest rejected requests, in any
 *   order; of each state that passes, `OUTCOMES` + 1 events
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
