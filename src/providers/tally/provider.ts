import type { Provider } from '../provider.ts';
import { schemeProof } from '../signing/proof.ts';
import { schemeSigner } from '../signing/scheme-signer.ts';
import type { SignatureScheme } from '../signing/signature-scheme.ts';

/**
 * The base64 HMAC-SHA256 of the body.
 *
 * https://tally.so/help/webhooks
 */
const SCHEME: SignatureScheme = {
  algorithm: 'hmac-sha256',
  key: 'text',
  header: 'Tally-Signature',
  encoding: 'base64',
  form: { prefix: '' },
  signed: ['body'],
  time: null,
};
const SECRET = "the webhook's signing secret";

export const tally = {
  name: 'tally',
  title: 'Tally',
  marks: [{ header: 'tally-signature', rank: 3 }],
  typePaths: [['eventType']],
  proof: schemeProof(SCHEME, SECRET),
  once: { by: [['body.eventId']] },
  signature: { header: SCHEME.header, scheme: SCHEME, signer: schemeSigner(SCHEME) },
} satisfies Provider;
