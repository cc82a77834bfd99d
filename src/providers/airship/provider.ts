import type { Provider } from '../provider.ts';
import { schemeSigner } from '../signing/scheme-signer.ts';
import type { SignatureScheme } from '../signing/signature-scheme.ts';
import { airshipProof } from './verify.ts';

/**
 * The hexadecimal HMAC-SHA256 of `<seconds>:<body>`.
 *
 * https://support.airship.com/hc/en-us/articles/360032501831
 */
const SCHEME: SignatureScheme = {
  algorithm: 'hmac-sha256',
  key: 'text',
  header: 'X-UA-Signature',
  encoding: 'hex',
  form: { prefix: '' },
  signed: ['time', { text: ':' }, 'body'],
  time: {
    place: { header: 'X-UA-Timestamp' },
    unit: 's',
    toleranceMs: 300_000,
    isTwoSided: true,
  },
};

export const airship = {
  name: 'airship',
  title: 'Airship',
  marks: [{ header: 'x-ua-signature', rank: 3 }],
  proof: airshipProof(SCHEME, "the webhook's signature secret"),
  signature: {
    header: SCHEME.header,
    scheme: SCHEME,
    signer: schemeSigner(SCHEME),
  },
} satisfies Provider;
