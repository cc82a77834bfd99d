import type { Provider } from '../provider.ts';
import { schemeProof } from '../signing/proof.ts';
import { schemeSigner } from '../signing/scheme-signer.ts';
import type { SignatureScheme } from '../signing/signature-scheme.ts';

/**
 * The base64 HMAC-SHA256 of the notification URL, as the subscription has it, and the body.
 *
 * https://developer.squareup.com/docs/webhooks/step3validate
 */
const SCHEME: SignatureScheme = {
  algorithm: 'hmac-sha256',
  key: 'text',
  header: 'x-square-hmacsha256-signature',
  encoding: 'base64',
  form: { prefix: '' },
  signed: ['url', 'body'],
  time: null,
};
const SECRET = "the subscription's signature key";

export const square = {
  name: 'square',
  title: 'Square',
  marks: [{ header: 'x-square-hmacsha256-signature', rank: 3 }],
  shapes: [(o) => (o('merchant_id') && o('event_id') ? o('type') : undefined)],
  typePaths: [['type']],
  proof: schemeProof(SCHEME, SECRET),
  once: { by: [['body.event_id']] },
  signature: { header: SCHEME.header, scheme: SCHEME, signer: schemeSigner(SCHEME) },
} satisfies Provider;
