import type { Provider } from '../provider.ts';
import { schemeProof } from '../signing/proof.ts';
import { singleSigner } from '../signing/scheme-signer.ts';
import type { SignatureScheme } from '../signing/signature-scheme.ts';

/**
 * `t=<seconds>,v1=` and the hexadecimal HMAC-SHA256 of `<seconds>.<body>`. Calendly advises to
 * refuse signatures older than 3 minutes.
 *
 * https://developer.calendly.com/api-docs/overview/webhooks/webhook-signatures
 */
const SCHEME: SignatureScheme = {
  algorithm: 'hmac-sha256',
  key: 'text',
  header: 'Calendly-Webhook-Signature',
  encoding: 'hex',
  form: { separator: ',', field: 'v1' },
  signed: ['time', { text: '.' }, 'body'],
  time: { place: { field: 't' }, unit: 's', toleranceMs: 180_000, isTwoSided: false },
};
const SECRET = "the subscription's signing key";

export const calendly = {
  name: 'calendly',
  title: 'Calendly',
  marks: [{ header: 'calendly-webhook-signature', rank: 3 }],
  shapes: [(o) => (o('created_by') && o('payload', 'uri') ? o('event') : undefined)],
  typePaths: [['event']],
  proof: schemeProof(SCHEME, SECRET),
  once: { by: [['body.event', 'body.payload.uri', 'body.created_at']] },
  signature: { header: SCHEME.header, scheme: SCHEME, signer: singleSigner(SCHEME) },
} satisfies Provider;
