import { verificationCondition } from '../../core/issues/verification-condition.ts';
import { afterJudging } from '../../core/issues/verification-streak.ts';
import type { SourceOutcomes } from '../../store/contract/issues.ts';
import { ConditionLoop, type ConditionLoopParts } from './condition-loop.ts';

const EVERY_MS = 5000;

/** Opens and closes issues of endpoints at which requests fail verification. */
export function createVerificationLoop(parts: ConditionLoopParts): ConditionLoop<SourceOutcomes> {
  return new ConditionLoop({
    ...parts,
    name: 'looking for failing sources',
    everyMs: EVERY_MS,
    condition: {
      kind: 'verification',
      page: (afterKey, limit) => parts.issues.outcomes(afterKey, limit),
      judge: ({ userId, ...seen }) => ({
        userId,
        holds: verificationCondition(seen),
        sightings: [],
      }),
      fold: (before, { holds }, { now }) => afterJudging(before, holds, now),
    },
  });
}
