import type { Provider } from '../provider.ts';
import { schemeProof } from '../signing/proof.ts';
import { schemeSigner } from '../signing/scheme-signer.ts';
import type { SignatureScheme } from '../signing/signature-scheme.ts';

/**
 * `t=<milliseconds>, v1=` and the hexadecimal HMAC-SHA256 of `<milliseconds>.<body>`.
 *
 * https://workos.com/docs/events/data-syncing/webhooks
 */
const SCHEME: SignatureScheme = {
  algorithm: 'hmac-sha256',
  key: 'text',
  header: 'WorkOS-Signature',
  encoding: 'hex',
  form: { separator: ',', field: 'v1' },
  signed: ['time', { text: '.' }, 'body'],
  time: {
    place: { field: 't' },
    unit: 'ms',
    toleranceMs: 180_000,
    isTwoSided: false,
  },
};

export const workos = {
  name: 'workos',
  title: 'WorkOS',
  marks: [{ header: 'workos-signature', rank: 3 }],
  typePaths: [['event']],
  proof: schemeProof(SCHEME, "the webhook endpoint's secret"),
  once: { by: [['body.id']] },
  signature: {
    header: SCHEME.header,
    scheme: SCHEME,
    signer: schemeSigner(SCHEME),
  },
} satisfies Provider;
