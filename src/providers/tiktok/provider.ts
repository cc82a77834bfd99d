import type { Provider } from '../provider.ts';
import { schemeProof } from '../signing/proof.ts';
import { singleSigner } from '../signing/scheme-signer.ts';
import type { SignatureScheme } from '../signing/signature-scheme.ts';

/**
 * `t=<seconds>,s=` and the hexadecimal HMAC-SHA256 of `<seconds>.<body>`.
 *
 * https://developers.tiktok.com/doc/webhooks-verification
 */
const SCHEME: SignatureScheme = {
  algorithm: 'hmac-sha256',
  key: 'text',
  header: 'TikTok-Signature',
  encoding: 'hex',
  form: { separator: ',', field: 's' },
  signed: ['time', { text: '.' }, 'body'],
  time: { place: { field: 't' }, unit: 's', toleranceMs: 300_000, isTwoSided: true },
};
const SECRET = "the app's client secret";

export const tiktok = {
  name: 'tiktok',
  title: 'TikTok',
  marks: [{ header: 'tiktok-signature', rank: 3 }],
  typePaths: [['event']],
  proof: schemeProof(SCHEME, SECRET),
  signature: { header: SCHEME.header, scheme: SCHEME, signer: singleSigner(SCHEME) },
} satisfies Provider;
