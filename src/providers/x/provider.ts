import type { Provider } from '../provider.ts';
import { schemeProof } from '../signing/proof.ts';
import { schemeSigner } from '../signing/scheme-signer.ts';
import type { SignatureScheme } from '../signing/signature-scheme.ts';

/**
 * `sha256=` and the base64 HMAC-SHA256 of the body.
 *
 * https://docs.x.com/x-api/webhooks/introduction
 */
const SCHEME: SignatureScheme = {
  algorithm: 'hmac-sha256',
  key: 'text',
  header: 'X-Twitter-Webhooks-Signature',
  encoding: 'base64',
  form: { prefix: 'sha256=' },
  signed: ['body'],
  time: null,
};
const SECRET = "the app's consumer secret";

export const x = {
  name: 'x',
  title: 'X',
  marks: [{ header: 'x-twitter-webhooks-signature', rank: 3 }],
  proof: schemeProof(SCHEME, SECRET),
  signature: { header: SCHEME.header, scheme: SCHEME, signer: schemeSigner(SCHEME) },
} satisfies Provider;
