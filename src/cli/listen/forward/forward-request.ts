import type { EventHead } from '../../../api/api-types.ts';
import type { AttemptError, Trigger } from '../../../core/model.ts';
import type { AttemptRequest } from '../../../delivery/transports/webhook/attempt.ts';
import { deliveryRequest } from '../../../delivery/transports/webhook/delivery-request.ts';

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

/** The request that a destination would get, or the error that prevents it. */
export function forwardRequest(input: ForwardInput): AttemptRequest | AttemptError {
  const { head, body, target, secret, deliveryId, trigger, now } = input;
  const { id, method, path, query, raw_headers } = head;
  return deliveryRequest({
    request: { method, path, query, rawHeaders: raw_headers.flat(), body },
    eventId: id,
    deliveryId,
    trigger,
    attempt: 1,
    attemptedAt: now,
    url: target,
    path: 'append',
    secrets: secret === null ? [] : [secret],
    headers: null,
  });
}
