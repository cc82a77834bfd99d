import type { Provider } from '../provider.ts';
import { ed25519Signer } from '../signing/ed25519-signer.ts';
import { schemeProof } from '../signing/proof.ts';
import type { SignatureScheme } from '../signing/signature-scheme.ts';

/**
 * The base64 Ed25519 signature of `<seconds>|<body>`.
 *
 * https://developers.telnyx.com/docs/messaging/messages/receive-message#webhook-signing
 */
const SCHEME: SignatureScheme = {
  algorithm: 'ed25519',
  key: 'base64',
  header: 'Telnyx-Signature-Ed25519',
  encoding: 'base64',
  form: { prefix: '' },
  signed: ['time', { text: '|' }, 'body'],
  time: {
    place: { header: 'Telnyx-Timestamp' },
    unit: 's',
    toleranceMs: 300_000,
    isTwoSided: true,
  },
};

export const telnyx = {
  name: 'telnyx',
  title: 'Telnyx',
  marks: [{ header: 'telnyx-signature-ed25519', rank: 3 }],
  proof: schemeProof(SCHEME, "the account's public key"),
  once: { by: [['body.data.id']], varies: ['body.meta'] },
  signature: {
    header: SCHEME.header,
    scheme: SCHEME,
    signer: ed25519Signer(SCHEME),
  },
} satisfies Provider;
