import type { Provider } from '../provider.ts';
import { schemeProof } from '../signing/proof.ts';
import { schemeSigner } from '../signing/scheme-signer.ts';
import type { SignatureScheme } from '../signing/signature-scheme.ts';

/**
 * `sha1=` and the hexadecimal HMAC-SHA1 of the body.
 *
 * https://developers.intercom.com/docs/webhooks/webhook-notifications
 */
const SCHEME: SignatureScheme = {
  algorithm: 'hmac-sha1',
  key: 'text',
  header: 'X-Hub-Signature',
  encoding: 'hex',
  form: { prefix: 'sha1=' },
  signed: ['body'],
  time: null,
};
const SECRET = "the app's client secret";

export const intercom = {
  name: 'intercom',
  title: 'Intercom',
  shapes: [(o) => (o('type') === 'notification_event' ? o('topic') : undefined)],
  typePaths: [['topic']],
  proof: schemeProof(SCHEME, SECRET),
  once: { by: [['body.id']], varies: ['body.delivery_attempts', 'body.delivered_at'] },
  signature: { header: SCHEME.header, scheme: SCHEME, signer: schemeSigner(SCHEME) },
} satisfies Provider;
