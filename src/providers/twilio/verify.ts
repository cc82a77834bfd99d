import { createHmac, hash } from 'node:crypto';
import type { Proof } from '../signing/proof.ts';
import { readOnce } from '../signing/read-once.ts';
import { isSameText } from '../signing/same-text.ts';
import { anyOf, type SecretOutcome } from '../signing/secret-outcome.ts';
import { headerOf, headersOf, type SignedRequest } from '../signing/signed-request.ts';
import { bodyHashIn, signedFields } from './signed-text.ts';

const SIGNATURE = /^[A-Za-z\d+/]{27}=$/;
const FORM = /^application\/x-www-form-urlencoded\b/i;
const PORT = /^(https?):\/\/([^/?#]*@)?(\[[^\]]*\]|[^/?#:@]*)(:\d+)?(?=[/?#]|$)/i;

/**
 * The base64 HMAC-SHA1 of the URL as entered at Twilio, followed by the fields of a form. If the
 * body isn't a form, the URL contains the body's SHA-256.
 *
 * https://www.twilio.com/docs/usage/security#validating-requests
 */
export const twilioProof: Proof = {
  grade: 'verified',
  coversUrl: true,
  secret: "the account's auth token",
  problem: () => null,
  check(request, secret) {
    const sent = headersOf(request, 'X-Twilio-Signature');
    if (sent.length === 0) return 'signature_missing';
    const signatures = sent.map((one) => one.trim()).filter((one) => SIGNATURE.test(one));
    if (signatures.length === 0) return 'signature_malformed';
    return anyOf(request.urls.map((url) => checkUrl(request, url, signatures, secret)));
  },
};

function checkUrl(
  request: SignedRequest,
  url: string,
  signatures: readonly string[],
  secret: string,
): SecretOutcome {
  const fields = fieldsOf(request, url);
  if (fields === null) return 'signature_mismatch';
  const fits = withAndWithoutPort(url).some((one) => {
    const expected = createHmac('sha1', secret).update(one).update(fields).digest('base64');
    return signatures.some((signature) => isSameText(signature, expected));
  });
  return fits ? null : 'signature_mismatch';
}

/** Returns the signed text after the URL, or null if the signature can't cover the body. */
function fieldsOf(request: SignedRequest, url: string): string | null {
  const named = bodyHashIn(url);
  if (named !== null) {
    return isSameText(named.toLowerCase(), readOnce(request, bodyHash)) ? '' : null;
  }
  return readOnce(request, formFields);
}

function bodyHash({ body }: SignedRequest): string {
  return hash('sha256', body, 'hex');
}

function formFields(request: SignedRequest): string | null {
  if (request.body.length === 0) return '';
  return FORM.test(headerOf(request, 'content-type') ?? '') ? signedFields(request.body) : null;
}

/** Returns the URL with and without its scheme's port, because Twilio signs either form. */
function withAndWithoutPort(url: string): string[] {
  const [start, scheme = '', user = '', host = '', port] = PORT.exec(url) ?? [];
  if (start === undefined) return [url];
  const other = port ? '' : scheme.toLowerCase() === 'https' ? ':443' : ':80';
  return [url, `${scheme}://${user}${host}${other}${url.slice(start.length)}`];
}
