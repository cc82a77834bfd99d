import type { Provider } from '../provider.ts';
import { schemeProof } from '../signing/proof.ts';
import { singleSigner } from '../signing/scheme-signer.ts';
import type { SignatureScheme } from '../signing/signature-scheme.ts';

/**
 * `t=<milliseconds>,v1=` and the base64url HMAC-SHA256 of `<milliseconds>.<body>`. Sanity's
 * library checks no age.
 *
 * https://www.sanity.io/docs/content-lake/webhooks
 */
const SCHEME: SignatureScheme = {
  algorithm: 'hmac-sha256',
  key: 'text',
  header: 'sanity-webhook-signature',
  encoding: 'base64url',
  form: { separator: ',', field: 'v1' },
  signed: ['time', { text: '.' }, 'body'],
  time: { place: { field: 't' }, unit: 'ms', toleranceMs: 300_000, isTwoSided: true },
};
const SECRET = "the webhook's secret";

export const sanity = {
  name: 'sanity',
  title: 'Sanity',
  marks: [{ header: 'sanity-webhook-signature', rank: 3 }],
  proof: schemeProof(SCHEME, SECRET),
  signature: { header: SCHEME.header, scheme: SCHEME, signer: singleSigner(SCHEME) },
} satisfies Provider;
