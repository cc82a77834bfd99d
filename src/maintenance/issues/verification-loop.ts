import { verificationCondition } from '../../core/issues/verification-condition.ts';
import { afterJudging } from '../../core/issues/verification-streak.ts';
import type { Clock, Logger } from '../../core/runtime/runtime.ts';
import type { IssueStore, SourceOutcomes } from '../../store/contract/issues.ts';
import { ConditionLoop } from './condition-loop.ts';
import { ConditionRound } from './condition-round.ts';

const EVERY_MS = 5000;

/** Opens and closes issues of endpoints whose requests fail their verification. */
export function createVerificationLoop(options: {
  issues: IssueStore;
  clock: Clock;
  log: Logger;
}): ConditionLoop<SourceOutcomes> {
  const { issues, clock, log } = options;
  const round = new ConditionRound<SourceOutcomes>(issues, {
    kind: 'verification',
    page: (afterKey, limit) => issues.outcomes(afterKey, limit),
    keyOf: ({ endpointKey }) => endpointKey,
    placeOf: ({ endpointKey }) => ({ endpointKey, destinationKey: 0 }),
    judge: ({ userId, ...seen }) => ({
      userId,
      holds: verificationCondition(seen),
      sightings: [],
    }),
    fold: (before, { holds }, { now }) => afterJudging(before, holds, now),
  });
  return new ConditionLoop({
    name: 'the look at verifications',
    round,
    everyMs: EVERY_MS,
    changesByTime: false,
    now: () => clock.now(),
    clock,
    log,
  });
}
