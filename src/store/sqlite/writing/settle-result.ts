import type { EventStatus } from '../../../core/model.ts';
import type { ClaimedDelivery } from '../../contract/claims.ts';
import type { SettledAttempt, Settlement } from '../../contract/queue.ts';
import type { ClaimRef } from './claims.ts';

/**
 * An attempt to record, with what the store needs of its claim. Its headers are
 * the text that is stored: a thread takes a text cheaply and a list dearly.
 */
export type Recordable = Omit<Settlement, 'claim' | 'attempt'> & {
  claim: ClaimRef &
    Pick<ClaimedDelivery, 'eventSeq' | 'endpointKey' | 'round' | 'trigger' | 'attempts'>;
  attempt: Omit<Settlement['attempt'], 'responseHeaders'> & { responseHeaders: string | null };
};

export function recordable({ claim, attempt, ...settlement }: Settlement): Recordable {
  const { id, token, destination, eventSeq, endpointKey, round, trigger, attempts } = claim;
  const { responseHeaders } = attempt;
  return {
    ...settlement,
    attempt: { ...attempt, responseHeaders: responseHeaders && JSON.stringify(responseHeaders) },
    claim: {
      ...{ id, token, destination: { key: destination.key } },
      ...{ eventSeq, endpointKey, round, trigger, attempts },
    },
  };
}

/**
 * What only the store knows of an attempt that it has recorded: all that has to
 * cross threads, beside what was on record before; null where the event is gone.
 */
export type SettleResult = Recorded | { before: SettledAttempt } | null;

export interface Recorded {
  seq: number;
  /** After those of the delivery that were on record. */
  number: number;
  eventStatus: EventStatus;
  /** One object for all attempts of an endpoint: a message holds it once. */
  owner: EndpointOwner;
  /** Null also where the claim was no longer live. */
  nextAttemptAt: number | null;
}

export interface EndpointOwner {
  endpointId: string;
  userId: string;
}

/** The attempts as they are on record now. */
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
  { seq, number, eventStatus, owner, nextAttemptAt }: Recorded,
): SettledAttempt {
  return {
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
    },
  };
}
