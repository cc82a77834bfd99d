import { checkHmac } from '../signing/check-hmac.ts';
import type { Proof } from '../signing/proof.ts';
import type { SignatureScheme } from '../signing/signature-scheme.ts';

const FORM = { algorithm: 'hmac-sha256', encoding: 'base64' } as const;

/** The signature by the first key of a DocuSign account. */
export const FIRST: SignatureScheme = {
  ...FORM,
  key: 'text',
  header: 'X-DocuSign-Signature-1',
  form: { prefix: '' },
  signed: ['body'],
  time: null,
};

/** One header for each key of the account, which has at most 100. */
const HEADER = /^x-docusign-signature-(?:[1-9]\d?|100)$/i;
const MOST_SIGNATURES = 100;

/**
 * `X-DocuSign-Signature-1` and so on, one for each key: the base64 HMAC-SHA256 of the body.
 *
 * https://developers.docusign.com/platform/webhooks/connect/validate/
 */
export const docusignProof: Proof = {
  grade: 'verified',
  secret: 'one of the HMAC keys of DocuSign Connect',
  problem: () => null,
  check({ rawHeaders, body }, secret) {
    const sent: string[] = [];
    for (let i = 0; i < rawHeaders.length && sent.length < MOST_SIGNATURES; i += 2) {
      if (HEADER.test(rawHeaders[i] as string)) sent.push(rawHeaders[i + 1] as string);
    }
    return sent.length === 0 ? 'signature_missing' : checkHmac(FORM, secret, [body], sent);
  },
};
