import type { DeliveryProgress } from '../../../core/event-status.ts';
import type { Attempt } from '../../../core/model.ts';
import type { ClaimedDelivery } from '../../contract/claims.ts';
import type { Settlement } from '../../contract/queue.ts';
import { healthCode, triggerCode } from '../codes.ts';
import type { RowOf } from '../columns.ts';
import type { NEW_ATTEMPT } from '../deliveries/attempt-columns.ts';

/** The values of an attempt that only the store knows. */
export type StoreOwn = Pick<Attempt, 'seq' | 'number' | 'nextAttemptAt' | 'health'>;

export function recordedAttempt(
  { claim, attempt }: Settlement,
  endpointId: string,
  { seq, number, nextAttemptAt, health }: StoreOwn,
): Attempt {
  return {
    ...attempt,
    ...{ seq, number, nextAttemptAt, health },
    eventId: claim.eventId,
    endpointId,
    deliveryId: claim.id,
    destinationId: claim.destination.id,
    trigger: claim.trigger,
    probe: claim.probe !== null,
  };
}

type Headers = Attempt['responseHeaders'];
/** An attempt to record. Its headers may already be JSON. */
type NewAttempt = Omit<Settlement['attempt'], 'responseHeaders' | 'requestHeaders'> & {
  responseHeaders: Headers | string;
  requestHeaders: Headers | string;
};

export function storedHeaders(headers: Headers | string): string | null {
  return typeof headers === 'string' ? headers : headers && JSON.stringify(headers);
}

type AttemptClaim = Pick<
  ClaimedDelivery,
  'id' | 'eventSeq' | 'endpointKey' | 'trigger' | 'probe'
> & { destination: Pick<ClaimedDelivery['destination'], 'key'> };

/**
 * Returns the row of an attempt, in the order of its columns, which is faster (`Columns.values`).
 */
export function newAttemptRow(
  claim: AttemptClaim,
  attempt: NewAttempt,
  { number, nextAttemptAt, health }: Omit<StoreOwn, 'seq'>,
): RowOf<typeof NEW_ATTEMPT> & { responseBody: string | null } {
  return {
    id: attempt.id,
    deliveryId: claim.id,
    trigger: triggerCode(claim.trigger),
    number,
    responseCode: attempt.responseCode,
    responseTruncated: attempt.responseTruncated,
    durationMs: attempt.durationMs,
    errorCode: attempt.error?.code ?? null,
    errorMessage: attempt.error?.message ?? null,
    attemptedAt: attempt.attemptedAt,
    nextAttemptAt,
    responseHeaders: storedHeaders(attempt.responseHeaders),
    requestHeaders: storedHeaders(attempt.requestHeaders),
    ruleVersion: attempt.ruleVersion,
    probe: claim.probe !== null,
    health: health === null ? null : healthCode(health),
    eventSeq: claim.eventSeq,
    endpointKey: claim.endpointKey,
    destinationKey: claim.destination.key,
    destinationUrl: attempt.destinationUrl,
    responseBody: attempt.responseBody,
  };
}

/** Returns the delivery's progress after an attempt. A failed probe doesn't count as an attempt. */
export function progressAfter(
  { state }: Settlement['next'],
  { attempts, probes }: Omit<DeliveryProgress, 'state'>,
) {
  return state === 'held'
    ? ({ state: 'pending', attempts, probes: probes + 1 } as const)
    : { state, attempts: attempts + 1, probes };
}
