import type { Trigger } from '../../../core/model.ts';
import type { OrderKey } from '../../../core/rules/verdict.ts';
import type { ClaimedDelivery, ClaimedDestination } from '../../contract/claims.ts';

/** A round of deliveries that one event gets at once. */
export interface NewRound {
  endpointKey: number;
  seq: number;
  eventId: string;
  round: number;
  trigger: Trigger;
  now: number;
  /** The body size, bytes. */
  size: number;
  orderKeys: readonly OrderKey[];
  /** Whether the deliveries wait for a person, because the event couldn't be judged. */
  isHeld: boolean;
  /** The bulk replay that creates the deliveries, or null. */
  jobKey: number | null;
}

/**
 * Returns the value by which a destination orders the deliveries, or null if it doesn't order them.
 */
export function orderKeyFor(destinationKey: number, orderKeys: readonly OrderKey[]): string | null {
  return orderKeys.find((one) => one.destinationKey === destinationKey)?.key ?? null;
}

/** Returns the claim of a delivery that this transaction creates. */
export function newClaim(
  { endpointKey, seq, eventId, round, trigger, size, jobKey }: NewRound,
  destination: ClaimedDestination,
  { id, token, orderKey }: Pick<ClaimedDelivery, 'id' | 'token' | 'orderKey'>,
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
    orderKey,
    jobKey,
    start: null,
    byHand: false,
    size,
    destination,
  };
}
