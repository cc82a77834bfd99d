import type { EventHeadAnswer } from '../../../api/events/event-answer.ts';
import type { AttemptError, Trigger } from '../../../core/model.ts';
import type { Verification } from '../../../core/proof/verification.ts';
import { verificationText } from '../../../core/proof/verification-header.ts';
import type { AttemptRequest } from '../../../delivery/transports/webhook/attempt.ts';
import { deliveryRequest } from '../../../delivery/transports/webhook/delivery-request.ts';
import { deliveryTarget } from '../../../delivery/transports/webhook/delivery-target.ts';
import type { Resign } from './resign-by-server.ts';

export interface ForwardInput {
  head: Pick<EventHeadAnswer, 'id' | 'method' | 'path' | 'query' | 'raw_headers'> & {
    /** Servers that verify nothing omit this. */
    verification?: Verification;
  };
  body: Buffer;
  target: string;
  /** The signing secret, in a destination's form; null to send no signature. */
  secret: string | null;
  /** Id of this forward. The server knows no such delivery. */
  deliveryId: string;
  trigger: Trigger;
  now: number;
  /** Signs as the event's provider does; null to pass on the sender's own signature. */
  resign: Resign | null;
}

export async function forwardRequest(input: ForwardInput): Promise<AttemptRequest | AttemptError> {
  const { head, body, target, secret, deliveryId, trigger, now } = input;
  const { id, method, path, query, raw_headers, verification } = head;
  const to = input.resign && deliveryTarget(target, path, query);
  const signed = to && (await input.resign?.(id, to.origin + to.path));
  if (signed && 'code' in signed) return signed;
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
    verification: verification ? verificationText(verification) : null,
    resign: signed
      ? () => ({ provider: signed.provider, headers: Object.entries(signed.headers) })
      : null,
  });
}
