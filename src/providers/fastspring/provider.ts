import type { Provider } from '../provider.ts';
import { schemeProof } from '../signing/proof.ts';
import { schemeSigner } from '../signing/scheme-signer.ts';
import type { SignatureScheme } from '../signing/signature-scheme.ts';

/**
 * The base64 HMAC-SHA256 of the body.
 *
 * https://developer.fastspring.com/reference/message-security
 */
const SCHEME: SignatureScheme = {
  algorithm: 'hmac-sha256',
  key: 'text',
  header: 'X-FS-Signature',
  encoding: 'base64',
  form: { prefix: '' },
  signed: ['body'],
  time: null,
};

export const fastspring = {
  name: 'fastspring',
  title: 'FastSpring',
  marks: [{ header: 'x-fs-signature', rank: 3 }],
  proof: schemeProof(SCHEME, "the webhook's HMAC SHA256 secret"),
  signature: {
    header: SCHEME.header,
    scheme: SCHEME,
    signer: schemeSigner(SCHEME),
  },
} satisfies Provider;
