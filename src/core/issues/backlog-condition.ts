import type { ConditionSeen } from './condition-streak.ts';

export interface LaneSeen {
  userId: string;
  state: 'active' | 'paused' | 'disabled';
  isBreakerOpen: boolean;
  oldestDueAt: number;
  oldest: { eventId: string; receivedAt: number };
  /** The endpoint's own retention, ms. Null if the server's applies. */
  retentionMs: number | null;
}

export interface BacklogTerms {
  /** A delivery that is due for longer is a backlog, ms. */
  afterMs: number;
  /** The server's retention, ms. Null if it keeps events for ever. */
  retentionMs: number | null;
}

/**
 * Returns whether deliveries wait too long for a destination. Either a delivery has been due too
 * long although nothing blocks it, or an event has waited past its retention.
 */
export function backlogCondition(lane: LaneSeen, terms: BacklogTerms, now: number): ConditionSeen {
  const { userId, state, isBreakerOpen, oldestDueAt, oldest } = lane;
  const { eventId, receivedAt } = oldest;
  const goes = state === 'active' && !isBreakerOpen;
  const retentionMs = lane.retentionMs ?? terms.retentionMs;
  const times: number[] = [];
  if (goes) times.push(oldestDueAt + terms.afterMs);
  if (retentionMs !== null) times.push(receivedAt + retentionMs);
  const at = Math.min(...times);
  return at < now
    ? { userId, holds: true, sightings: [{ at, eventId }] }
    : { userId, holds: false, sightings: [] };
}
