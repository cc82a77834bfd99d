import type { Provider } from '../provider.ts';
import { schemeProof } from '../signing/proof.ts';
import { schemeSigner } from '../signing/scheme-signer.ts';
import type { SignatureScheme } from '../signing/signature-scheme.ts';

/**
 * `t=<seconds>,v1=` and the hexadecimal HMAC-SHA256 of `<seconds>.<body>`.
 *
 * https://www.mux.com/docs/core/verify-webhook-signatures
 */
const SCHEME: SignatureScheme = {
  algorithm: 'hmac-sha256',
  key: 'text',
  header: 'Mux-Signature',
  encoding: 'hex',
  form: { separator: ',', field: 'v1' },
  signed: ['time', { text: '.' }, 'body'],
  time: { place: { field: 't' }, unit: 's', toleranceMs: 300_000, isTwoSided: false },
};
const SECRET = "the webhook's signing secret";

export const mux = {
  name: 'mux',
  title: 'Mux',
  marks: [{ header: 'mux-signature', rank: 3 }],
  typePaths: [['type']],
  proof: schemeProof(SCHEME, SECRET),
  once: { by: [['body.id']], varies: ['body.attempts'] },
  signature: { header: SCHEME.header, scheme: SCHEME, signer: schemeSigner(SCHEME) },
} satisfies Provider;
