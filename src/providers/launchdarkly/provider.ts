import type { Provider } from '../provider.ts';
import { schemeProof } from '../signing/proof.ts';
import { schemeSigner } from '../signing/scheme-signer.ts';
import type { SignatureScheme } from '../signing/signature-scheme.ts';

/**
 * The hexadecimal HMAC-SHA256 of the body.
 *
 * https://launchdarkly.com/docs/home/infrastructure/webhooks
 */
const SCHEME: SignatureScheme = {
  algorithm: 'hmac-sha256',
  key: 'text',
  header: 'X-LD-Signature',
  encoding: 'hex',
  form: { prefix: '' },
  signed: ['body'],
  time: null,
};
const SECRET = "the webhook's secret";

export const launchdarkly = {
  name: 'launchdarkly',
  title: 'LaunchDarkly',
  marks: [{ header: 'x-ld-signature', rank: 3 }],
  typePaths: [['kind']],
  proof: schemeProof(SCHEME, SECRET),
  once: { by: [['body._id']] },
  signature: { header: SCHEME.header, scheme: SCHEME, signer: schemeSigner(SCHEME) },
} satisfies Provider;
