import { type BroughtSeen, broughtCondition } from '../../core/issues/brought-secret.ts';
import { BROUGHT_SECRET } from '../../core/issues/issue.ts';
import type { Clock, Logger } from '../../core/runtime/runtime.ts';
import type { IssueStore } from '../../store/contract/issues.ts';
import { ConditionLoop } from './condition-loop.ts';
import { ConditionRound } from './condition-round.ts';

const EVERY_MS = 1000;

/** Opens and closes issues of endpoints with a secret that a handshake brought. */
export function createBroughtSecretLoop(options: {
  issues: IssueStore;
  clock: Clock;
  log: Logger;
}): ConditionLoop<BroughtSeen> {
  const { issues, clock, log } = options;
  const round = new ConditionRound<BroughtSeen>(issues, {
    kind: 'verification',
    subject: BROUGHT_SECRET,
    page: (afterKey, limit) => issues.broughtSecrets(afterKey, limit),
    keyOf: ({ endpointKey }) => endpointKey,
    placeOf: ({ endpointKey }) => ({ endpointKey, destinationKey: 0 }),
    judge: broughtCondition,
  });
  return new ConditionLoop({
    name: 'the look at secrets that handshakes brought',
    round,
    everyMs: EVERY_MS,
    changesByTime: false,
    now: () => clock.now(),
    clock,
    log,
  });
}
