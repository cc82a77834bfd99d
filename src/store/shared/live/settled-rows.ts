import type { SettledAttempt } from '../../contract/queue.ts';
import { statusOf } from '../codes.ts';
import { ATTEMPT_COLUMNS, type AttemptRow, attemptOf } from '../deliveries/attempt-rows.ts';

export type SettledRow = AttemptRow &
  Omit<SettledAttempt, 'attempt' | 'eventStatus'> & { eventStatus: number };

/** Columns of attempts `a`, events `e`, endpoints `p` and destinations `d` for a `SettledRow`. */
export const SETTLED_COLUMNS = `${ATTEMPT_COLUMNS}, e.seq AS "eventSeq",
  e.status AS "eventStatus", p.user_id AS "userId", p.key AS "endpointKey"`;

export function settledOf({
  eventSeq,
  eventStatus,
  userId,
  endpointKey,
  ...row
}: SettledRow): SettledAttempt {
  return {
    attempt: attemptOf(row),
    eventSeq,
    eventStatus: statusOf(eventStatus),
    userId,
    endpointKey,
  };
}
