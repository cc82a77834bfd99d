import type { Provider } from '../provider.ts';
import { type Proof, schemeProof } from '../signing/proof.ts';
import { schemeSigner } from '../signing/scheme-signer.ts';
import type { SignatureScheme } from '../signing/signature-scheme.ts';
import { verifyAnyScheme } from '../signing/verify-scheme.ts';

/**
 * `sha512=` and the hexadecimal HMAC-SHA512 of the body.
 *
 * https://developer.authorize.net/api/reference/features/webhooks.html
 */
const SCHEME: SignatureScheme = {
  algorithm: 'hmac-sha512',
  key: 'text',
  header: 'X-ANET-Signature',
  encoding: 'hex',
  form: { prefix: 'sha512=' },
  signed: ['body'],
  time: null,
};

/**
 * The documentation doesn't say whether the key is the text of the Signature Key or the
 * bytes that its hexadecimal digits stand for. Requests were seen with the text, and
 * receivers in use take either.
 */
const SCHEMES = [SCHEME, { ...SCHEME, key: 'hex' as const }];

const proof: Proof = {
  ...schemeProof(SCHEME, "the merchant's Signature Key"),
  check: (request, secret) => verifyAnyScheme(SCHEMES, request, secret),
};

export const authorizeNet = {
  name: 'authorize-net',
  title: 'Authorize.Net',
  marks: [{ header: 'x-anet-signature', rank: 3 }],
  typePaths: [['eventType']],
  proof,
  once: { by: [['body.notificationId']] },
  signature: {
    header: SCHEME.header,
    scheme: SCHEME,
    signer: schemeSigner(SCHEME),
  },
} satisfies Provider;
