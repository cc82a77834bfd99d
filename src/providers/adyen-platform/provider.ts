import type { Provider } from '../provider.ts';
import { schemeProof } from '../signing/proof.ts';
import { schemeSigner } from '../signing/scheme-signer.ts';
import { TEST_SECRET } from '../signing/signature.ts';
import type { SignatureScheme } from '../signing/signature-scheme.ts';

/**
 * The base64 HMAC-SHA256 of the body, for webhooks of platforms and banking. The key is
 * hexadecimal.
 *
 * https://docs.adyen.com/development-resources/webhooks/secure-webhooks/verify-hmac-signatures
 */
const SCHEME: SignatureScheme = {
  algorithm: 'hmac-sha256',
  key: 'hex',
  header: 'HmacSignature',
  encoding: 'base64',
  form: { prefix: '' },
  signed: ['body'],
  time: null,
};
const SECRET = "the webhook's HMAC key";

export const adyenPlatform = {
  name: 'adyen-platform',
  title: 'Adyen for Platforms',
  marks: [{ header: 'hmacsignature', rank: 2 }],
  proof: schemeProof(SCHEME, SECRET),
  signature: {
    header: SCHEME.header,
    scheme: SCHEME,
    signer: schemeSigner(SCHEME, Buffer.from(TEST_SECRET).toString('hex')),
  },
} satisfies Provider;
