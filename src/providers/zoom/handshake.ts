import { hashable, json } from '../handshaking/answers.ts';
import { memberAt } from '../member-at.ts';
import type { Handshake } from '../provider.ts';
import { hmacText, SHA256_HEX } from '../signing/check-hmac.ts';
import { jsonBody } from '../signing/json-body.ts';

/** The event of Zoom's check. */
export const URL_VALIDATION = 'endpoint.url_validation';
/** The largest body of a check, bytes. */
const MAX_BODY_BYTES = 4096;

/**
 * A POST of `{"event": "endpoint.url_validation", "payload": {"plainToken": …}}`, signed like any
 * event. Zoom expects the token and its HMAC. This HMAC can't be used as a signature: every text
 * that Zoom signs has colons, and a token has none.
 *
 * https://developers.zoom.us/docs/api/webhooks/#validate-your-webhook-endpoint
 */
export const zoomHandshake: Handshake = {
  method: 'POST',
  matches: ({ body }) =>
    body.length <= MAX_BODY_BYTES &&
    body.includes(URL_VALIDATION) &&
    memberAt(jsonBody(body), 'event') === URL_VALIDATION,
  signed: 'only',
  answer({ body }, secret) {
    const plainToken = hashable(memberAt(jsonBody(body), 'payload', 'plainToken'));
    if (plainToken === null || secret === null) return null;
    const encryptedToken = hmacText(SHA256_HEX, secret, [plainToken]);
    return json({ plainToken, encryptedToken });
  },
};
