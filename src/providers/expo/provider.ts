import type { Provider } from '../provider.ts';
import { schemeProof } from '../signing/proof.ts';
import { schemeSigner } from '../signing/scheme-signer.ts';
import type { SignatureScheme } from '../signing/signature-scheme.ts';

/**
 * `sha1=` and the hexadecimal HMAC-SHA1 of the body.
 *
 * https://docs.expo.dev/eas/webhooks/
 */
const SCHEME: SignatureScheme = {
  algorithm: 'hmac-sha1',
  key: 'text',
  header: 'expo-signature',
  encoding: 'hex',
  form: { prefix: 'sha1=' },
  signed: ['body'],
  time: null,
};

export const expo = {
  name: 'expo',
  title: 'Expo',
  marks: [{ header: 'expo-signature', rank: 3 }],
  proof: schemeProof(SCHEME, "the webhook's secret"),
  signature: {
    header: SCHEME.header,
    scheme: SCHEME,
    signer: schemeSigner(SCHEME),
  },
} satisfies Provider;
