import type { Provider } from '../provider.ts';
import { schemeProof } from '../signing/proof.ts';
import { schemeSigner } from '../signing/scheme-signer.ts';
import type { SignatureScheme } from '../signing/signature-scheme.ts';

/**
 * `t=<seconds>,v0=` and the hexadecimal HMAC-SHA256 of `<seconds>.<body>`.
 *
 * https://elevenlabs.io/docs/eleven-api/resources/webhooks
 */
const SCHEME: SignatureScheme = {
  algorithm: 'hmac-sha256',
  key: 'text',
  header: 'ElevenLabs-Signature',
  encoding: 'hex',
  form: { separator: ',', field: 'v0' },
  signed: ['time', { text: '.' }, 'body'],
  time: {
    place: { field: 't' },
    unit: 's',
    toleranceMs: 1_800_000,
    isTwoSided: false,
  },
};

export const elevenlabs = {
  name: 'elevenlabs',
  title: 'ElevenLabs',
  marks: [{ header: 'elevenlabs-signature', rank: 3 }],
  typePaths: [['type']],
  proof: schemeProof(SCHEME, "the webhook's secret"),
  signature: {
    header: SCHEME.header,
    scheme: SCHEME,
    signer: schemeSigner(SCHEME),
  },
} satisfies Provider;
