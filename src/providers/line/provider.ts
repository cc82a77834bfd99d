import type { Provider } from '../provider.ts';
import { schemeProof } from '../signing/proof.ts';
import { schemeSigner } from '../signing/scheme-signer.ts';
import type { SignatureScheme } from '../signing/signature-scheme.ts';

/**
 * The base64 HMAC-SHA256 of the body. The key is the channel secret.
 *
 * https://developers.line.biz/en/docs/messaging-api/verify-webhook-signature/
 */
const SCHEME: SignatureScheme = {
  algorithm: 'hmac-sha256',
  key: 'text',
  header: 'X-Line-Signature',
  encoding: 'base64',
  form: { prefix: '' },
  signed: ['body'],
  time: null,
};

export const line = {
  name: 'line',
  title: 'LINE',
  marks: [{ header: 'x-line-signature', rank: 3 }],
  proof: schemeProof(SCHEME, 'the channel secret'),
  signature: {
    header: SCHEME.header,
    scheme: SCHEME,
    signer: schemeSigner(SCHEME),
  },
} satisfies Provider;
