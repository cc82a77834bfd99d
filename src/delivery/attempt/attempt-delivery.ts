import { hopsOf, MAX_HOPS } from '../../core/http/hops.ts';
import { newId } from '../../core/ids.ts';
import type { AttemptError } from '../../core/model.ts';
import type { Clock, Logger } from '../../core/runtime.ts';
import { sign, signingKey } from '../../core/secrets/signature.ts';
import type { ClaimedDelivery } from '../../store/contract/claims.ts';
import type { Outgoing, Settlement } from '../../store/contract/queue.ts';
import {
  type AttemptContext,
  type AttemptOutcome,
  makeAttempt,
} from '../transports/webhook/attempt.ts';
import type { RetryPolicy } from './backoff.ts';
import { deliveryHeaders } from './delivery-headers.ts';
import { deliveryTarget } from './delivery-target.ts';
import type { StaleRetries } from './stale-retries.ts';
import { nextState } from './status-policy.ts';

export interface DeliveryContext extends AttemptContext {
  clock: Clock;
  log: Logger;
  policy: RetryPolicy;
  random: () => number;
  staleRetries: StaleRetries;
  /** Opens a destination's sealed secret; null when it can't be opened. */
  openSecret(sealed: Uint8Array, destinationId: string): string | null;
}

/**
 * Makes one attempt of a delivery and decides what follows. Null when it was
 * ended by the server's own shutdown: then nothing happened.
 *
 * A fault of our own is a failed attempt like any other, on record and with its
 * backoff: released without one, the delivery would be due at once, for ever.
 */
export async function attemptDelivery(
  claim: ClaimedDelivery,
  outgoing: Outgoing,
  context: DeliveryContext,
): Promise<Settlement | null> {
  const attemptedAt = context.clock.now();
  const outcome = await send(claim, outgoing, attemptedAt, context).catch((error: unknown) => {
    context.log.error('a delivery attempt failed unexpectedly', { delivery: claim.id, error });
    const message = 'It could not be sent, for a fault of hookrelay; its log tells what.';
    return notSent({ code: 'internal', message });
  });
  if (!outcome) return null;
  if (outcome.wasStale) context.staleRetries.add(claim.id);
  const { responseCode, responseHeaders, responseBody, responseTruncated } = outcome;
  const { durationMs, error } = outcome;
  return {
    claim,
    attempt: {
      id: newId('att', attemptedAt),
      destinationUrl: outgoing.destination.url,
      responseCode,
      responseHeaders,
      responseBody,
      responseTruncated,
      durationMs: Math.round(durationMs),
      error,
      attemptedAt,
    },
    timedOut: outcome.timedOut,
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
  context: DeliveryContext,
): Promise<AttemptOutcome | null> {
  if (request === 'damaged') {
    context.log.error('what is stored of a request is damaged: it cannot be delivered', {
      delivery: claim.id,
      event: claim.eventId,
      hint: 'run hookrelay doctor --full, and restore a backup from before',
    });
    return notSent({
      code: 'request_unreadable',
      message: 'What is stored of the request is damaged.',
    });
  }
  const hops = hopsOf(request.rawHeaders);
  if (hops > MAX_HOPS) {
    return notSent({ code: 'loop', message: `The request came through ${hops} relays already.` });
  }
  const target = deliveryTarget(destination.url, request.path, request.query);
  if (!target) {
    return notSent({
      code: 'invalid_path',
      message: "The captured path would lead out of the destination's own.",
    });
  }
  const timestampS = Math.floor(attemptedAt / 1000);
  let signature: string | null = null;
  if (destination.sealedSecret) {
    const secret = context.openSecret(destination.sealedSecret, destination.id);
    if (secret === null) {
      return notSent({
        code: 'secret_unreadable',
        message:
          'the signing secret cannot be opened with this server’s key; add the destination anew',
      });
    }
    signature = sign(signingKey(secret), claim.eventId, timestampS, request.body);
  }
  return makeAttempt(
    {
      ...target,
      method: request.method,
      body: request.body,
      isAlone: context.staleRetries.take(claim.id),
      headers: deliveryHeaders({
        rawHeaders: request.rawHeaders,
        eventId: claim.eventId,
        deliveryId: claim.id,
        attempt: claim.attempts + 1,
        trigger: claim.trigger,
        timestampS,
        signature,
        hops,
      }),
    },
    context,
  );
}

/** An attempt that failed before anything left this machine. */
function notSent(error: AttemptError): AttemptOutcome {
  return {
    responseCode: null,
    responseHeaders: null,
    responseBody: null,
    responseTruncated: false,
    durationMs: 0,
    error,
    retryAfterMs: null,
    timedOut: false,
    wasStale: false,
  };
}
