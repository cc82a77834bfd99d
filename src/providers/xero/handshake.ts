import { accepted } from '../handshaking/answers.ts';
import type { Handshake } from '../provider.ts';
import { jsonObject } from '../signing/json-body.ts';

/** The largest body of a check, bytes. */
const MAX_BODY_BYTES = 4096;

/**
 * The "intent to receive" check: Xero sends bodies without events, some of them with wrong
 * signatures. It expects 200 or 401 within 5 s, both without a body.
 *
 * https://developer.xero.com/documentation/webhooks/configuring-your-server
 */
export const xeroHandshake: Handshake = {
  method: 'POST',
  matches({ body }) {
    if (body.length > MAX_BODY_BYTES) return false;
    const { events, entropy } = jsonObject(body) ?? {};
    return Array.isArray(events) && events.length === 0 && typeof entropy === 'string';
  },
  signed: 'or_refused',
  answer: () => accepted(),
  purpose: 'Xero checks that this URL tells signed requests from forged ones (intent to receive).',
};
