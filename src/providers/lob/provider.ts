import type { Provider } from '../provider.ts';
import { schemeProof } from '../signing/proof.ts';
import { schemeSigner } from '../signing/scheme-signer.ts';
import type { SignatureScheme } from '../signing/signature-scheme.ts';

/**
 * The hexadecimal HMAC-SHA256 of `<milliseconds>.<body>`, with the milliseconds in a header of
 * their own.
 *
 * https://docs.lob.com/#tag/Webhooks
 */
const SCHEME: SignatureScheme = {
  algorithm: 'hmac-sha256',
  key: 'text',
  header: 'Lob-Signature',
  encoding: 'hex',
  form: { prefix: '' },
  signed: ['time', { text: '.' }, 'body'],
  time: {
    place: { header: 'Lob-Signature-Timestamp' },
    unit: 'ms',
    toleranceMs: 300_000,
    isTwoSided: true,
  },
};
const SECRET = "the webhook's secret";

export const lob = {
  name: 'lob',
  title: 'Lob',
  marks: [{ header: 'lob-signature', rank: 3 }],
  typePaths: [['event_type', 'id']],
  proof: schemeProof(SCHEME, SECRET),
  once: { by: [['body.id']] },
  signature: { header: SCHEME.header, scheme: SCHEME, signer: schemeSigner(SCHEME) },
} satisfies Provider;
