import { createHmac } from 'node:crypto';
import { type Signer, TEST_SECRET } from '../signing/signature.ts';

/**
 * The base64 HMAC-SHA1 of the URL followed by each form field's name and value,
 * sorted by name, with nothing in between. The key is the account's auth token.
 * A receiver must verify with the URL that Twilio was given: the capture URL.
 *
 * https://www.twilio.com/docs/usage/security#validating-requests
 */
export const twilioSigner: Signer = {
  testSecret: TEST_SECRET,
  sign({ url, body }, secret) {
    const fields = [...new URLSearchParams(body.toString('utf8'))];
    // The order is by code units: the documentation's "Unix-style case-sensitive order".
    fields.sort(([a], [b]) => (a < b ? -1 : Number(a > b)));
    const hmac = createHmac('sha1', secret).update(url);
    for (const [name, value] of fields) hmac.update(name).update(value);
    return [['X-Twilio-Signature', hmac.digest('base64')]];
  },
};
