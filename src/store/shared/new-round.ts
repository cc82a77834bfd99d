import type { Trigger } from '../../core/model.ts';
import type { ClaimedDelivery, ClaimedDestination } from '../contract/claims.ts';

/** One event's deliveries that are made together. */
export interface NewRound {
  endpointKey: number;
  seq: number;
  eventId: string;
  round: number;
  trigger: Trigger;
  now: number;
  /** Body size in bytes. */
  size: number;
}

/** The claim of a delivery that is made in this transaction. */
export function newClaim(
  { endpointKey, seq, eventId, round, trigger, size }: NewRound,
  destination: ClaimedDestination,
  { id, token }: Pick<ClaimedDelivery, 'id' | 'token'>,
): ClaimedDelivery {
  return {
    id,
    token,
    eventSeq: seq,
    eventId,
    endpointKey,
    round,
    trigger,
    attempts: 0,
    probes: 0,
    probe: null,
    orderKey: null,
    jobKey: null,
    startBy: null,
    size,
    destination,
  };
}
