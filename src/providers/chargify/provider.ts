import type { Provider } from '../provider.ts';
import { schemeProof } from '../signing/proof.ts';
import { schemeSigner } from '../signing/scheme-signer.ts';
import type { SignatureScheme } from '../signing/signature-scheme.ts';

/**
 * The hexadecimal HMAC-SHA256 of the body.
 *
 * https://docs.maxio.com/hc/en-us/articles/24266143173901-Webhooks-Overview
 */
const SCHEME: SignatureScheme = {
  algorithm: 'hmac-sha256',
  key: 'text',
  header: 'X-Chargify-Webhook-Signature-Hmac-Sha-256',
  encoding: 'hex',
  form: { prefix: '' },
  signed: ['body'],
  time: null,
};

export const chargify = {
  name: 'chargify',
  title: 'Chargify',
  marks: [{ header: 'x-chargify-webhook-signature-hmac-sha-256', rank: 3 }],
  typePaths: [['event']],
  proof: schemeProof(SCHEME, "the site's shared key"),
  once: { by: [['header.x-chargify-webhook-id']] },
  signature: {
    header: SCHEME.header,
    scheme: SCHEME,
    signer: schemeSigner(SCHEME),
  },
} satisfies Provider;
