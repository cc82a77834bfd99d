import type { Provider } from '../provider.ts';
import { schemeProof } from '../signing/proof.ts';
import { schemeSigner } from '../signing/scheme-signer.ts';
import type { SignatureScheme } from '../signing/signature-scheme.ts';

/**
 * The hexadecimal HMAC-SHA1 of the body.
 *
 * https://vercel.com/docs/webhooks/webhooks-api#securing-webhooks
 */
const SCHEME: SignatureScheme = {
  algorithm: 'hmac-sha1',
  key: 'text',
  header: 'x-vercel-signature',
  encoding: 'hex',
  form: { prefix: '' },
  signed: ['body'],
  time: null,
};
const SECRET = "the webhook's secret, or the integration's client secret";

export const vercel = {
  name: 'vercel',
  title: 'Vercel',
  marks: [{ header: 'x-vercel-signature', rank: 3 }],
  typePaths: [['type']],
  proof: schemeProof(SCHEME, SECRET),
  once: { by: [['body.id']] },
  signature: { header: SCHEME.header, scheme: SCHEME, signer: schemeSigner(SCHEME) },
} satisfies Provider;
