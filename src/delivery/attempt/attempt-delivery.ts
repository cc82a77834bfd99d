import { newId } from '../../core/ids.ts';
import type { Clock, Logger } from '../../core/runtime/runtime.ts';
import type { ClaimedDelivery } from '../../store/contract/claims.ts';
import type { Outgoing, Settlement } from '../../store/contract/queue.ts';
import { notSent } from '../transports/not-sent.ts';
import type { AttemptOutcome, Transport } from '../transports/transport.ts';
import { nextState } from './next-state.ts';
import { askedWaitMs, policyOf, type RetryPolicy } from './retry-policy.ts';

export interface DeliveryContext {
  transport: Pick<Transport, 'attempt'>;
  clock: Clock;
  log: Logger;
  /** The server's policy. It applies to destinations without their own. */
  policy: RetryPolicy;
  random: () => number;
}

/**
 * Makes one attempt of a delivery and decides what follows. Returns null if the server's shutdown
 * ended the attempt. Nothing is recorded then.
 *
 * A fault of hookrelay counts as a failed attempt. Otherwise the delivery would be due again at
 * once, for ever.
 */
export async function attemptDelivery(
  claim: ClaimedDelivery,
  outgoing: Outgoing,
  context: DeliveryContext,
): Promise<Settlement | null> {
  const attemptedAt = context.clock.now();
  const outcome = await send(claim, outgoing, attemptedAt, context).catch((error: unknown) => {
    context.log.error('a delivery attempt failed unexpectedly', { delivery: claim.id, error });
    const message = 'hookrelay failed to send the request. Its log has the cause.';
    return notSent({ code: 'internal', message }, 'retryable');
  });
  if (!outcome) return null;
  const { destination, request } = outgoing;
  const { url, settings, ruleVersion } = destination;
  const policy = policyOf(settings.retry, context.policy);
  const { responseCode, responseHeaders, responseBody, responseTruncated, error, requestHeaders } =
    outcome;
  return {
    claim,
    attempt: {
      id: newId('att', attemptedAt),
      destinationUrl: url,
      responseCode,
      responseHeaders,
      responseBody,
      responseTruncated,
      durationMs: Math.round(outcome.durationMs),
      error,
      attemptedAt,
      requestHeaders,
      ruleVersion,
    },
    ...(request !== 'damaged' && { capturedHeaders: request.rawHeaders }),
    timedOut: outcome.timedOut,
    reach: outcome.reach,
    holdMs: askedWaitMs(outcome.retryAfterMs, policy),
    next: nextState({
      outcome,
      attemptNumber: claim.attempts + 1,
      isProbe: claim.probe !== null,
      policy,
      now: context.clock.now(),
      random: context.random,
    }),
  };
}

async function send(
  claim: ClaimedDelivery,
  { destination, request, signer }: Outgoing,
  attemptedAt: number,
  { transport, log }: DeliveryContext,
): Promise<AttemptOutcome | null> {
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
    attempt: claim.attempts + claim.probes + 1,
    attemptedAt,
    destination,
    request,
    signer,
  });
}
