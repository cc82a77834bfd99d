import { createHash, createHmac } from 'node:crypto';
import { HookrelayError } from '../../core/errors.ts';
import { type Signer, TEST_SECRET } from '../signing/signature.ts';
import { bodyHashIn, signedFields } from './signed-text.ts';

/**
 * The base64 HMAC-SHA1 of the URL and the form's fields. The fields are sorted by name. The name
 * and the value of each field follow the URL, with nothing in between. The key is the account's
 * auth token. A receiver must verify with the URL that Twilio was given, which is the capture URL.
 *
 * https://www.twilio.com/docs/usage/security#validating-requests
 */
export const twilioSigner: Signer = {
  testSecret: TEST_SECRET,
  sign({ url, body }, secret) {
    const hash = bodyHashIn(url);
    // The signature covers the body only through this hash, so the hash must be this body's.
    if (hash !== null && hash !== createHash('sha256').update(body).digest('hex')) {
      throw new HookrelayError('config_invalid', "bodySHA256 in the URL is another body's");
    }
    const fields = hash === null ? signedFields(body) : '';
    if (fields === null) {
      throw new HookrelayError('config_invalid', 'the form has more fields than Twilio sends');
    }
    const signature = createHmac('sha1', secret).update(url).update(fields).digest('base64');
    return [['X-Twilio-Signature', signature]];
  },
};
