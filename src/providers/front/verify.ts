import { type Proof, schemeProof } from '../signing/proof.ts';
import type { SignatureScheme } from '../signing/signature-scheme.ts';
import { headerOf } from '../signing/signed-request.ts';
import { verifyScheme } from '../signing/verify-scheme.ts';

/** The header of an application's time of signing. */
export const TIME_HEADER = 'X-Front-Request-Timestamp';

/**
 * The proof of an application's webhooks. Webhooks of rules have no time and sign the body
 * alone, by HMAC-SHA1 and the API secret.
 *
 * https://dev.frontapp.com/docs/rule-webhooks
 */
export function frontProof(scheme: SignatureScheme, secret: string): Proof {
  const ofRules: SignatureScheme = {
    ...scheme,
    algorithm: 'hmac-sha1',
    signed: ['body'],
    time: null,
  };
  return {
    ...schemeProof(scheme, secret),
    check: (request, text) =>
      verifyScheme(headerOf(request, TIME_HEADER) === null ? ofRules : scheme, request, text),
  };
}
