import type { Provider } from '../provider.ts';
import { schemeProof } from '../signing/proof.ts';
import { schemeSigner } from '../signing/scheme-signer.ts';
import { TEST_SECRET } from '../signing/signature.ts';
import type { SignatureScheme } from '../signing/signature-scheme.ts';

/**
 * The hexadecimal HMAC-SHA256 of the body. The key is hexadecimal.
 *
 * https://developers.squarespace.com/webhooks/verifying-notifications
 */
const SCHEME: SignatureScheme = {
  algorithm: 'hmac-sha256',
  key: 'hex',
  header: 'Squarespace-Signature',
  encoding: 'hex',
  form: { prefix: '' },
  signed: ['body'],
  time: null,
};
const SECRET = "the webhook subscription's secret";

export const squarespace = {
  name: 'squarespace',
  title: 'Squarespace',
  marks: [{ header: 'squarespace-signature', rank: 3 }],
  typePaths: [['topic']],
  proof: schemeProof(SCHEME, SECRET),
  once: { by: [['body.id']] },
  signature: {
    header: SCHEME.header,
    scheme: SCHEME,
    signer: schemeSigner(SCHEME, Buffer.from(TEST_SECRET).toString('hex')),
  },
} satisfies Provider;
