import { newId } from '../../core/ids.ts';
import type { Clock, Logger } from '../../core/runtime.ts';
import type { ClaimedDelivery } from '../../store/contract/claims.ts';
import type { Outgoing, Settlement } from '../../store/contract/queue.ts';
import { notSent } from '../transports/not-sent.ts';
import type { Outcome, Transport } from '../transports/transport.ts';
import type { RetryPolicy } from './backoff.ts';
import { nextState } from './next-state.ts';

export interface DeliveryContext {
  transport: Pick<Transport, 'attempt'>;
  clock: Clock;
  log: Logger;
  policy: RetryPolicy;
  random: () => number;
}

/**
 * Makes one attempt of a delivery and decides what follows. Null when the server's
 * own shutdown ended the attempt: then there is nothing to record.
 *
 * A fault of our own is recorded as a failed attempt, with its backoff. Released
 * without a record, the delivery would be due at once, forever.
 */
export async function attemptDelivery(
  claim: ClaimedDelivery,
  outgoing: Outgoing,
  context: DeliveryContext,
): Promise<Settlement | null> {
  const attemptedAt = context.clock.now();
  const outcome = await send(claim, outgoing, attemptedAt, context).catch((error: unknown) => {
    context.log.error('a delivery attempt failed unexpectedly', { delivery: claim.id, error });
    const message = 'A fault of hookrelay kept the request from being sent. Its log has the cause.';
    return notSent({ code: 'internal', message }, 'retryable');
  });
  if (!outcome) return null;
  const { responseCode, responseHeaders, responseBody, responseTruncated, error } = outcome;
  return {
    claim,
    attempt: {
      id: newId('att', attemptedAt),
      destinationUrl: outgoing.destination.url,
      responseCode,
      responseHeaders,
      responseBody,
      responseTruncated,
      durationMs: Math.round(outcome.durationMs),
      error,
      attemptedAt,
      requestHeaders: null,
      ruleVersion: outgoing.destination.ruleVersion,
    },
    timedOut: outcome.timedOut,
    reach: 'answered',
    holdMs: null,
    next: nextState({
      outcome,
      attemptNumber: claim.attempts + 1,
      policy: context.policy,
      now: context.clock.now(),
      random: context.random,
    }),
  };
}

async function send(
  claim: ClaimedDelivery,
  { destination, request }: Outgoing,
  attemptedAt: number,
  { transport, log }: DeliveryContext,
): Promise<Outcome | null> {
  const { id, eventId, trigger } = claim;
  if (request === 'damaged') {
    log.error('a stored request is damaged and cannot be delivered', {
      delivery: id,
      event: eventId,
      hint: 'run hookrelay doctor --full, and restore a backup from before the damage',
    });
    const message = 'The stored request is damaged.';
    return notSent({ code: 'request_unreadable', message }, 'retryable');
  }
  return transport.attempt({
    id,
    eventId,
    trigger,
    attempt: claim.attempts + 1,
    attemptedAt,
    destination,
    request,
  });
}
