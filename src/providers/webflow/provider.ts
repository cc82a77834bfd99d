import type { Provider } from '../provider.ts';
import { schemeProof } from '../signing/proof.ts';
import { schemeSigner } from '../signing/scheme-signer.ts';
import type { SignatureScheme } from '../signing/signature-scheme.ts';

/**
 * The hexadecimal HMAC-SHA256 of `<milliseconds>:<body>`, with the milliseconds in a header of
 * their own.
 *
 * https://developers.webflow.com/data/docs/working-with-webhooks
 */
const SCHEME: SignatureScheme = {
  algorithm: 'hmac-sha256',
  key: 'text',
  header: 'x-webflow-signature',
  encoding: 'hex',
  form: { prefix: '' },
  signed: ['time', { text: ':' }, 'body'],
  time: {
    place: { header: 'x-webflow-timestamp' },
    unit: 'ms',
    toleranceMs: 300_000,
    isTwoSided: true,
  },
};
const SECRET = "the webhook's secret key, or the app's client secret";

export const webflow = {
  name: 'webflow',
  title: 'Webflow',
  marks: [{ header: 'x-webflow-signature', rank: 3 }],
  typePaths: [['triggerType']],
  proof: schemeProof(SCHEME, SECRET),
  signature: { header: SCHEME.header, scheme: SCHEME, signer: schemeSigner(SCHEME) },
} satisfies Provider;
