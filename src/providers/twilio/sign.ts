import { createHash, createHmac } from 'node:crypto';
import { HookrelayError } from '../../core/errors.ts';
import { type Signer, TEST_SECRET } from '../signing/signature.ts';
import { bodyHashIn, signedFields } from './signed-text.ts';

/**
 * The base64 HMAC-SHA1 of the URL and the form's fields, with the account's auth token. The fields
 * are sorted by name. Each name and value follows without a separator. The URL is the one given to
 * Twilio: the capture URL.
 *
 * https://www.twilio.com/docs/usage/security#validating-requests
 */
export const twilioSigner: Signer = {
  testSecret: TEST_SECRET,
  sign({ url, body }, secret) {
    const hash = bodyHashIn(url);
    // The signature covers the body only through this hash.
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
