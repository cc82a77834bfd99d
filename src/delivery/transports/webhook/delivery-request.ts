import { hopsOf, MAX_HOPS } from '../../../core/http/hops.ts';
import type { AttemptError, Trigger } from '../../../core/model.ts';
import { sign, signingKey } from '../../../core/secrets/signature.ts';
import type { AttemptRequest } from './attempt.ts';
import { deliveryHeaders } from './delivery-headers.ts';
import { deliveryTarget } from './delivery-target.ts';

export interface DeliveryRequestInput {
  /** The captured request. */
  request: {
    method: string;
    /** Below the capture URL: empty, or starting with `/`. */
    path: string;
    /** Without its `?`. */
    query: string;
    /** Name, value, name, value … */
    rawHeaders: readonly string[];
    body: Uint8Array;
  };
  eventId: string;
  deliveryId: string;
  trigger: Trigger;
  /** Number of this attempt in its delivery, from 1. */
  attempt: number;
  /** When the attempt is made, Unix ms: the signature's timestamp. */
  attemptedAt: number;
  /** The destination's URL, absolute and valid. */
  url: string;
  /** Signs the request; null for no signature. */
  secret: string | null;
}

/**
 * The HTTP request of an attempt: the captured method, headers and bytes, with
 * sub-path and query below the destination's URL, our headers and the signature. Or
 * the error that keeps it from ever being sent.
 */
export function deliveryRequest(input: DeliveryRequestInput): AttemptRequest | AttemptError {
  const { request, eventId, secret } = input;
  const hops = hopsOf(request.rawHeaders);
  if (hops > MAX_HOPS) {
    return { code: 'loop', message: `The request already came through ${hops} relays.` };
  }
  const target = deliveryTarget(input.url, request.path, request.query);
  if (!target) {
    return {
      code: 'invalid_path',
      message: "The captured path would lead out of the destination's path.",
    };
  }
  const timestampS = Math.floor(input.attemptedAt / 1000);
  const headers = deliveryHeaders({
    rawHeaders: request.rawHeaders,
    eventId,
    deliveryId: input.deliveryId,
    attempt: input.attempt,
    trigger: input.trigger,
    timestampS,
    signature: secret === null ? null : sign(signingKey(secret), eventId, timestampS, request.body),
    hops,
  });
  return { ...target, method: request.method, headers, body: request.body };
}
