import { hopsOf, MAX_HOPS } from '../../../core/http/hops.ts';
import type { AttemptError } from '../../../core/model.ts';
import { sign, signingKey } from '../../../core/secrets/signature.ts';
import type { DestinationSettings } from '../../../core/settings/destination-settings.ts';
import { isStandardSignature, type Resigned } from '../../../providers/resign.ts';
import type { OutgoingRequest } from '../../../store/contract/queue.ts';
import type { AttemptRequest } from './attempt.ts';
import { type DeliveryHeadersInput, deliveryHeaders } from './delivery-headers.ts';
import { deliveryTarget } from './delivery-target.ts';
import type { DestinationHeaders } from './destination-headers.ts';

export interface DeliveryRequestInput
  extends Pick<
    DeliveryHeadersInput,
    'eventId' | 'deliveryId' | 'attempt' | 'trigger' | 'verification'
  > {
  request: Pick<OutgoingRequest, 'method' | 'path' | 'query' | 'rawHeaders' | 'body'>;
  /** When the attempt starts, Unix ms. This is also the signature's timestamp. */
  attemptedAt: number;
  /** The destination's URL, absolute and valid. */
  url: string;
  /** `ignore`: the request goes to the URL without the event's path and query. */
  path: DestinationSettings['path'];
  /** Each secret signs the request, the newest first. Without secrets, there is no signature. */
  secrets: readonly string[];
  /** The destination's own headers; null without any. */
  headers: DestinationHeaders | null;
  /** Signs the request as its provider does. If null, the sender's signature is passed on. */
  resign: ((request: SignedTarget) => Resigned) | null;
}

/**
 * The parts of a request that a provider's signature may cover, without the method and the body.
 */
interface SignedTarget {
  /** Where the request goes, with path and query. */
  url: string;
  /** The destination's headers come first, because they replace the sender's. */
  rawHeaders: readonly string[];
}

/**
 * Returns the HTTP request of an attempt. It has the captured method, headers and body. The event's
 * path and query are added to the destination's URL. The destination's and hookrelay's headers are
 * added too. Returns an error if the request can never be sent.
 */
export function deliveryRequest(input: DeliveryRequestInput): AttemptRequest | AttemptError {
  const { request, eventId, secrets } = input;
  const hops = hopsOf(request.rawHeaders);
  if (hops > MAX_HOPS) {
    return { code: 'loop', message: `The request has already passed ${hops} relays.` };
  }
  const target =
    input.path === 'ignore'
      ? deliveryTarget(input.url, '', '')
      : deliveryTarget(input.url, request.path, request.query);
  if (!target) {
    return {
      code: 'invalid_path',
      message: "The captured path would lead out of the destination's path.",
    };
  }
  const resigned = input.resign?.({
    url: target.origin + target.path,
    rawHeaders: [...(input.headers?.flat ?? []), ...request.rawHeaders],
  });
  const refusal = resigned && refusalOf(resigned, secrets);
  if (refusal) return { code: 'not_verified', message: refusal };
  const timestampS = Math.floor(input.attemptedAt / 1000);
  const headers = deliveryHeaders({
    rawHeaders: request.rawHeaders,
    eventId,
    deliveryId: input.deliveryId,
    attempt: input.attempt,
    trigger: input.trigger,
    timestampS,
    // Receivers accept a request if any of its signatures fits (Standard Webhooks).
    signature:
      secrets.length === 0
        ? null
        : secrets
            .map((secret) => sign(signingKey(secret), eventId, timestampS, request.body))
            .join(' '),
    hops,
    verification: input.verification,
    resigned: resigned && 'headers' in resigned ? resigned.headers : null,
    own: input.headers,
  });
  return { ...target, method: request.method, headers, body: request.body };
}

function refusalOf(resigned: Resigned, secrets: readonly string[]): string | null {
  if ('refusal' in resigned) return resigned.refusal;
  return secrets.length > 0 && isStandardSignature(resigned.headers)
    ? "The provider's signature needs the same headers as the destination's own secret."
    : null;
}
