import type { EventHead } from '../../../api/api-types.ts';
import { hopsOf, MAX_HOPS } from '../../../core/http/hops.ts';
import type { AttemptError, Trigger } from '../../../core/model.ts';
import { sign, signingKey } from '../../../core/secrets/signature.ts';
import { deliveryHeaders } from '../../../delivery/attempt/delivery-headers.ts';
import { deliveryTarget } from '../../../delivery/attempt/delivery-target.ts';
import type { AttemptRequest } from '../../../delivery/transports/webhook/attempt.ts';

export interface ForwardInput {
  head: Pick<EventHead, 'id' | 'method' | 'path' | 'query' | 'raw_headers'>;
  body: Uint8Array;
  /** Absolute URL. */
  target: string;
  /** Signing secret, as of a destination; null for no signature. */
  secret: string | null;
  /** Id of this forward. The server doesn't know it. */
  deliveryId: string;
  trigger: Trigger;
  now: number;
}

/**
 * The request that a destination would get: same method, headers and bytes, with
 * sub-path and query appended. Or the error that prevents it.
 */
export function forwardRequest(input: ForwardInput): AttemptRequest | AttemptError {
  const { head, body, target, secret } = input;
  const rawHeaders = head.raw_headers.flat();
  const hops = hopsOf(rawHeaders);
  if (hops > MAX_HOPS) {
    return { code: 'loop', message: `The request came through ${hops} relays already.` };
  }
  const where = deliveryTarget(target, head.path, head.query);
  if (!where) {
    return { code: 'invalid_path', message: "The captured path would lead out of the target's." };
  }
  const timestampS = Math.floor(input.now / 1000);
  const signature = secret === null ? null : sign(signingKey(secret), head.id, timestampS, body);
  const headers = deliveryHeaders({
    rawHeaders,
    eventId: head.id,
    deliveryId: input.deliveryId,
    attempt: 1,
    trigger: input.trigger,
    timestampS,
    signature,
    hops,
  });
  return { ...where, method: head.method, headers, body };
}
