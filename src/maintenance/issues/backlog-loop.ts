import { type BacklogTerms, backlogCondition } from '../../core/issues/backlog-condition.ts';
import type { Logger, WakingClock } from '../../core/runtime/runtime.ts';
import type { IssueStore, WaitingDestination } from '../../store/contract/issues.ts';
import { TrustedClock } from '../trusted-clock.ts';
import { ConditionLoop } from './condition-loop.ts';

/**
 * The longest interval between two rounds, ms. A tenth of `terms.afterMs` applies if it is shorter.
 */
const MOST_EVERY_MS = 5000;
const LEAST_EVERY_MS = 250;

/** Opens and closes issues of destinations whose deliveries wait too long. */
export function createBacklogLoop({
  terms,
  ...parts
}: {
  issues: IssueStore;
  terms: BacklogTerms;
  clock: WakingClock;
  log: Logger;
}): ConditionLoop<WaitingDestination> {
  const { issues, clock, log } = parts;
  const name = 'looking for backlogs';
  const trusted = new TrustedClock(clock, log, name);
  return new ConditionLoop({
    ...parts,
    name,
    everyMs: Math.max(LEAST_EVERY_MS, Math.min(MOST_EVERY_MS, terms.afterMs / 10)),
    changesByTime: true,
    now: () => trusted.now(),
    condition: {
      kind: 'backlog',
      page: (afterKey, limit) => issues.lanes(afterKey, limit),
      judge: (lane, now) => backlogCondition(lane, terms, now),
    },
  });
}
