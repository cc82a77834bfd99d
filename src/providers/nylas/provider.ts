import { challengeQuery } from '../handshaking/challenge-query.ts';
import type { Provider } from '../provider.ts';
import { schemeProof } from '../signing/proof.ts';
import { schemeSigner } from '../signing/scheme-signer.ts';
import type { SignatureScheme } from '../signing/signature-scheme.ts';

/**
 * The hexadecimal HMAC-SHA256 of the body.
 *
 * https://developer.nylas.com/docs/v3/notifications/
 */
const SCHEME: SignatureScheme = {
  algorithm: 'hmac-sha256',
  key: 'text',
  header: 'X-Nylas-Signature',
  encoding: 'hex',
  form: { prefix: '' },
  signed: ['body'],
  time: null,
};
const SECRET = "the webhook's secret";

export const nylas = {
  name: 'nylas',
  title: 'Nylas',
  marks: [{ header: 'x-nylas-signature', rank: 3 }],
  typePaths: [['type']],
  proof: schemeProof(SCHEME, SECRET),
  once: { by: [['body.id']], varies: ['body.webhook_delivery_attempt'] },
  signature: { header: SCHEME.header, scheme: SCHEME, signer: schemeSigner(SCHEME) },
  handshakes: [
    /** https://developer.nylas.com/docs/v3/notifications/ */
    challengeQuery('challenge', 'Nylas checks that this URL is yours before it sends events.'),
  ],
} satisfies Provider;
