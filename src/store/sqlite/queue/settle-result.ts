import type { HealthState } from '../../../core/flow/health.ts';
import type { EventStatus } from '../../../core/model.ts';
import type { ClaimedDelivery } from '../../contract/claims.ts';
import type { SettledAttempt, Settlement } from '../../contract/queue.ts';
import type { ClaimRef } from './claims.ts';

/**
 * An attempt to record, with the part of its claim that the store needs. Its headers
 * are the stored text: a text crosses threads faster than a list.
 */
export type Recordable = Omit<Settlement, 'claim' | 'attempt'> & {
  claim: ClaimRef &
    Pick<
      ClaimedDelivery,
      'eventSeq' | 'endpointKey' | 'round' | 'trigger' | 'attempts' | 'probes' | 'probe'
    >;
  attempt: Omit<Settlement['attempt'], 'responseHeaders' | 'requestHeaders'> & {
    responseHeaders: string | null;
    requestHeaders: string | null;
  };
};

export function recordable({ claim, attempt, ...settlement }: Settlement): Recordable {
  const { id, token, destination, eventSeq, endpointKey, round, trigger } = claim;
  const { attempts, probes, probe } = claim;
  const { responseHeaders, requestHeaders } = attempt;
  return {
    ...settlement,
    attempt: {
      ...attempt,
      responseHeaders: responseHeaders && JSON.stringify(responseHeaders),
      requestHeaders: requestHeaders && JSON.stringify(requestHeaders),
    },
    claim: {
      ...{ id, token, destination: { key: destination.key } },
      ...{ eventSeq, endpointKey, round, trigger, attempts, probes, probe },
    },
  };
}

/**
 * The part of a recorded attempt that only the store knows. `before` is an attempt
 * that was already on record. Null where the event is gone.
 */
export type SettleResult = Recorded | { before: SettledAttempt } | null;

export interface Recorded {
  seq: number;
  /** The attempt's number: follows the highest on record of its delivery. */
  number: number;
  eventStatus: EventStatus;
  /** All attempts of an endpoint share one object: a message clones it once. */
  owner: EndpointOwner;
  /** Null where no attempt follows or the claim was no longer live. */
  nextAttemptAt: number | null;
  /** The destination's health, where the attempt changed it. */
  health: HealthState | null;
}

export interface EndpointOwner {
  endpointId: string;
  userId: string;
}

/** The recorded attempts in the order of their settlements. */
export function settledAttempts(
  settlements: readonly Settlement[],
  results: readonly SettleResult[],
): (SettledAttempt | null)[] {
  return results.map((result, i) => {
    if (!result) return null;
    return 'before' in result
      ? result.before
      : settledAttempt(settlements[i] as Settlement, result);
  });
}

function settledAttempt(
  { claim, attempt }: Settlement,
  { seq, number, eventStatus, owner, nextAttemptAt, health }: Recorded,
): SettledAttempt {
  return {
    eventSeq: claim.eventSeq,
    eventStatus,
    userId: owner.userId,
    endpointKey: claim.endpointKey,
    attempt: {
      ...attempt,
      seq,
      eventId: claim.eventId,
      endpointId: owner.endpointId,
      deliveryId: claim.id,
      destinationId: claim.destination.id,
      trigger: claim.trigger,
      number,
      nextAttemptAt,
      probe: claim.probe !== null,
      health,
    },
  };
}
