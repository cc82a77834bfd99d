import { checkHmac, type HmacForm, hmacText } from '../signing/check-hmac.ts';
import type { Proof } from '../signing/proof.ts';
import { readOnce } from '../signing/read-once.ts';
import { anyOf } from '../signing/secret-outcome.ts';
import { type Signer, TEST_SECRET } from '../signing/signature.ts';
import { headersOf, type SignedRequest } from '../signing/signed-request.ts';

export const HEADER = 'X-Mandrill-Signature';
/**
 * The largest number of fields in a form. Mandrill sends one. Parsing many thousands would delay
 * other requests.
 */
const MOST_FIELDS = 100;
const FORM: HmacForm = { algorithm: 'hmac-sha1', encoding: 'base64' };

/**
 * The base64 HMAC-SHA1 of the webhook's URL and the form's fields. The fields are sorted by name.
 * The name and the value of each field follow the URL, with nothing in between.
 *
 * https://mailchimp.com/developer/transactional/guides/track-respond-activity-webhooks/#authenticating-webhook-requests
 */
export const mandrillProof: Proof = {
  grade: 'verified',
  coversUrl: true,
  secret: "the webhook's key",
  problem: () => null,
  check(request, secret) {
    const sent = headersOf(request, HEADER).slice(0, 1);
    if (sent.length === 0) return 'signature_missing';
    const fields = readOnce(request, fieldsOf);
    if (fields === null) return 'signature_malformed';
    return anyOf(request.urls.map((url) => checkHmac(FORM, secret, [url, fields], sent)));
  },
};

export const mandrillSigner: Signer = {
  testSecret: TEST_SECRET,
  sign({ url, body }, secret) {
    const signature = hmacText(FORM, secret, [url, fieldsText(body) ?? '']);
    return [[HEADER, signature]];
  },
};

function fieldsOf({ body }: SignedRequest): string | null {
  return fieldsText(body);
}

/**
 * Returns the names and values of a form, one after the other. Returns null for a form that
 * Mandrill wouldn't send.
 */
function fieldsText(body: Buffer): string | null {
  const text = body.toString('utf8');
  if (text.split('&', MOST_FIELDS + 1).length > MOST_FIELDS) return null;
  const fields = [...new URLSearchParams(text)];
  return fields
    .sort(([a], [b]) => (a < b ? -1 : Number(a > b)))
    .flat()
    .join('');
}
