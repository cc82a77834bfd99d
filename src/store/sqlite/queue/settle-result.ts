import type { EventStatus } from '../../../core/model.ts';
import type { ClaimedDelivery } from '../../contract/claims.ts';
import type { SettledAttempt, Settlement } from '../../contract/queue.ts';
import {
  recordedAttempt,
  type StoreOwn,
  storedHeaders,
} from '../../shared/queue/recorded-attempt.ts';
import { packHeaders } from '../deliveries/packed-headers.ts';
import type { ClaimRef } from './claims.ts';

/**
 * An attempt to record, with the parts of its claim that the store needs. Its headers are JSON,
 * because a text crosses threads faster than a list.
 */
export type Recordable = Omit<Settlement, 'claim' | 'attempt' | 'capturedHeaders'> & {
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

export function recordable({
  claim,
  attempt,
  capturedHeaders: captured = [],
  ...settlement
}: Settlement): Recordable {
  const { id, token, destination, eventSeq, endpointKey, round, trigger } = claim;
  const { attempts, probes, probe, eventId, size } = claim;
  const { requestHeaders, destinationUrl, attemptedAt } = attempt;
  const source = { eventId, deliveryId: id, destinationUrl, trigger, attemptedAt, captured, size };
  return {
    ...settlement,
    attempt: {
      ...attempt,
      responseHeaders: storedHeaders(attempt.responseHeaders),
      requestHeaders: requestHeaders && packHeaders(requestHeaders, source),
    },
    claim: {
      ...{ id, token, destination: { key: destination.key } },
      ...{ eventSeq, endpointKey, round, trigger, attempts, probes, probe },
    },
  };
}

/** `before` is an attempt that was already recorded. Null if the event is gone. */
export type SettleResult = Recorded | { before: SettledAttempt } | null;

interface Recorded extends StoreOwn {
  eventStatus: EventStatus;
  /** All attempts of an endpoint share one object, so that a message clones it only once. */
  owner: EndpointOwner;
}

export interface EndpointOwner {
  endpointId: string;
  userId: string;
}

/** Returns the recorded attempts in the order of their settlements. */
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

function settledAttempt(settlement: Settlement, recorded: Recorded): SettledAttempt {
  const { eventSeq, endpointKey } = settlement.claim;
  const { eventStatus, owner } = recorded;
  const attempt = recordedAttempt(settlement, owner.endpointId, recorded);
  return { eventSeq, eventStatus, userId: owner.userId, endpointKey, attempt };
}
