import { type Proof, schemeProof } from '../signing/proof.ts';
import { isSameText } from '../signing/same-text.ts';
import type { SignatureScheme } from '../signing/signature-scheme.ts';
import { headerOf, headersOf, type SignedRequest } from '../signing/signed-request.ts';

/**
 * `timestamp=<seconds>,signature=` and the hexadecimal HMAC-SHA256 of `<seconds>.<body>`.
 *
 * https://buildkite.com/docs/apis/webhooks/pipelines#webhook-signature
 */
export const SCHEME: SignatureScheme = {
  algorithm: 'hmac-sha256',
  key: 'text',
  header: 'X-Buildkite-Signature',
  encoding: 'hex',
  form: { separator: ',', field: 'signature' },
  signed: ['time', { text: '.' }, 'body'],
  time: { place: { field: 'timestamp' }, unit: 's', toleranceMs: 300_000, isTwoSided: true },
};

const SIGNED = schemeProof(SCHEME, "the webhook's token");

/** Buildkite signs with the webhook's token, or sends the token as it is, as one chooses there. */
export const buildkiteProof: Proof = {
  ...SIGNED,
  gradeOf: (request) => (isSigned(request) ? 'verified' : 'authenticated'),
  check(request, secret) {
    const tokens = headersOf(request, 'X-Buildkite-Token');
    if (isSigned(request) || tokens.length === 0) return SIGNED.check(request, secret);
    return tokens.some((token) => isSameText(token, secret)) ? null : 'signature_mismatch';
  },
};

function isSigned(request: SignedRequest): boolean {
  return headerOf(request, SCHEME.header) !== null;
}
