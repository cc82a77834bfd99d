import { type BacklogTerms, backlogCondition } from '../../core/issues/backlog-condition.ts';
import type { Logger, WakingClock } from '../../core/runtime/runtime.ts';
import type { IssueStore, WaitingDestination } from '../../store/contract/issues.ts';
import { TrustedClock } from '../trusted-clock.ts';
import { ConditionLoop } from './condition-loop.ts';
import { ConditionRound } from './condition-round.ts';

/** Longest interval between two rounds, ms. A tenth of the time that is late suffices. */
const MOST_EVERY_MS = 5000;
const LEAST_EVERY_MS = 250;

/** Opens and closes issues of destinations where deliveries wait for too long. */
export function createBacklogLoop(options: {
  issues: IssueStore;
  terms: BacklogTerms;
  clock: WakingClock;
  log: Logger;
}): ConditionLoop<WaitingDestination> {
  const { issues, terms, clock, log } = options;
  const name = 'the look for backlogs';
  const trusted = new TrustedClock(clock, log, name);
  const round = new ConditionRound<WaitingDestination>(issues, {
    kind: 'backlog',
    page: (afterKey, limit) => issues.lanes(afterKey, limit),
    keyOf: ({ destinationKey }) => destinationKey,
    placeOf: ({ endpointKey, destinationKey }) => ({ endpointKey, destinationKey }),
    judge: (lane, now) => backlogCondition(lane, terms, now),
  });
  return new ConditionLoop({
    name,
    round,
    everyMs: Math.max(LEAST_EVERY_MS, Math.min(MOST_EVERY_MS, terms.afterMs / 10)),
    changesByTime: true,
    now: () => trusted.now(),
    clock,
    log,
  });
}
