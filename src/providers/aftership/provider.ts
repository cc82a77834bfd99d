import type { Provider } from '../provider.ts';
import { schemeProof } from '../signing/proof.ts';
import { schemeSigner } from '../signing/scheme-signer.ts';
import type { SignatureScheme } from '../signing/signature-scheme.ts';

/**
 * The base64 HMAC-SHA256 of the body.
 *
 * https://www.aftership.com/docs/tracking/webhook/webhook-signature
 */
const SCHEME: SignatureScheme = {
  algorithm: 'hmac-sha256',
  key: 'text',
  header: 'aftership-hmac-sha256',
  encoding: 'base64',
  form: { prefix: '' },
  signed: ['body'],
  time: null,
};

export const aftership = {
  name: 'aftership',
  title: 'AfterShip',
  marks: [{ header: 'aftership-hmac-sha256', rank: 3 }],
  typePaths: [['event']],
  proof: schemeProof(SCHEME, "the account's webhook secret"),
  once: { by: [['body.event_id']] },
  signature: {
    header: SCHEME.header,
    scheme: SCHEME,
    signer: schemeSigner(SCHEME),
  },
} satisfies Provider;
