import type { Provider } from '../provider.ts';
import { schemeProof } from '../signing/proof.ts';
import { schemeSigner } from '../signing/scheme-signer.ts';
import type { SignatureScheme } from '../signing/signature-scheme.ts';

/**
 * `sha256=` and the base64 HMAC-SHA256 of the body.
 *
 * https://www.typeform.com/developers/webhooks/secure-your-webhooks/
 */
const SCHEME: SignatureScheme = {
  algorithm: 'hmac-sha256',
  key: 'text',
  header: 'Typeform-Signature',
  encoding: 'base64',
  form: { prefix: 'sha256=' },
  signed: ['body'],
  time: null,
};
const SECRET = "the webhook's secret";

export const typeform = {
  name: 'typeform',
  title: 'Typeform',
  marks: [{ header: 'typeform-signature', rank: 3 }],
  shapes: [(o) => (o('form_response', 'form_id') ? o('event_type') : undefined)],
  proof: schemeProof(SCHEME, SECRET),
  once: { by: [['body.event_id']] },
  signature: { header: SCHEME.header, scheme: SCHEME, signer: schemeSigner(SCHEME) },
} satisfies Provider;
