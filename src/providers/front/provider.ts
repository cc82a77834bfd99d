import type { Provider } from '../provider.ts';
import { schemeSigner } from '../signing/scheme-signer.ts';
import type { SignatureScheme } from '../signing/signature-scheme.ts';
import { frontProof, TIME_HEADER } from './verify.ts';

/**
 * The base64 HMAC-SHA256 of `<milliseconds>:<body>`.
 *
 * https://dev.frontapp.com/docs/application-webhooks
 */
const SCHEME: SignatureScheme = {
  algorithm: 'hmac-sha256',
  key: 'text',
  header: 'X-Front-Signature',
  encoding: 'base64',
  form: { prefix: '' },
  signed: ['time', { text: ':' }, 'body'],
  time: {
    place: { header: TIME_HEADER },
    unit: 'ms',
    toleranceMs: 300_000,
    isTwoSided: true,
  },
};

export const front = {
  name: 'front',
  title: 'Front',
  marks: [{ header: 'x-front-signature', rank: 3 }],
  typePaths: [['type']],
  proof: frontProof(SCHEME, "the app's secret, or the API secret of rules"),
  signature: {
    header: SCHEME.header,
    scheme: SCHEME,
    signer: schemeSigner(SCHEME),
  },
} satisfies Provider;
