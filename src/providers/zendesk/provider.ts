import type { Provider } from '../provider.ts';
import { schemeProof } from '../signing/proof.ts';
import { schemeSigner } from '../signing/scheme-signer.ts';
import type { SignatureScheme } from '../signing/signature-scheme.ts';

/**
 * The base64 HMAC-SHA256 of the ISO 8601 time and the body.
 *
 * https://developer.zendesk.com/documentation/webhooks/verifying/
 */
const SCHEME: SignatureScheme = {
  algorithm: 'hmac-sha256',
  key: 'text',
  header: 'X-Zendesk-Webhook-Signature',
  encoding: 'base64',
  form: { prefix: '' },
  signed: ['time', 'body'],
  time: {
    place: { header: 'X-Zendesk-Webhook-Signature-Timestamp' },
    unit: 'iso',
    toleranceMs: 300_000,
    isTwoSided: true,
  },
};
const SECRET = "the webhook's signing secret";

export const zendesk = {
  name: 'zendesk',
  title: 'Zendesk',
  marks: [{ header: 'x-zendesk-webhook-signature', rank: 3 }],
  proof: schemeProof(SCHEME, SECRET),
  signature: { header: SCHEME.header, scheme: SCHEME, signer: schemeSigner(SCHEME) },
} satisfies Provider;
