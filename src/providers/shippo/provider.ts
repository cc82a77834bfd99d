import type { Provider } from '../provider.ts';
import { schemeProof } from '../signing/proof.ts';
import { singleSigner } from '../signing/scheme-signer.ts';
import type { SignatureScheme } from '../signing/signature-scheme.ts';

/**
 * `t=<seconds>,v1=` and the hexadecimal HMAC-SHA256 of `<seconds>.<body>`.
 *
 * https://docs.goshippo.com/docs/tracking/webhooksecurity
 */
const SCHEME: SignatureScheme = {
  algorithm: 'hmac-sha256',
  key: 'text',
  header: 'Shippo-Auth-Signature',
  encoding: 'hex',
  form: { separator: ',', field: 'v1' },
  signed: ['time', { text: '.' }, 'body'],
  time: { place: { field: 't' }, unit: 's', toleranceMs: 300_000, isTwoSided: true },
};
const SECRET = 'the HMAC secret that Shippo gave';

export const shippo = {
  name: 'shippo',
  title: 'Shippo',
  marks: [{ header: 'shippo-auth-signature', rank: 3 }],
  typePaths: [['event']],
  proof: schemeProof(SCHEME, SECRET),
  signature: { header: SCHEME.header, scheme: SCHEME, signer: singleSigner(SCHEME) },
} satisfies Provider;
