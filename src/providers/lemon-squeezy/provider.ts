import type { Provider } from '../provider.ts';
import { schemeProof } from '../signing/proof.ts';
import { schemeSigner } from '../signing/scheme-signer.ts';
import type { SignatureScheme } from '../signing/signature-scheme.ts';

/**
 * The hexadecimal HMAC-SHA256 of the body. Many services call their header `X-Signature`, so
 * it is no mark.
 *
 * https://docs.lemonsqueezy.com/help/webhooks/signing-requests
 */
const SCHEME: SignatureScheme = {
  algorithm: 'hmac-sha256',
  key: 'text',
  header: 'X-Signature',
  encoding: 'hex',
  form: { prefix: '' },
  signed: ['body'],
  time: null,
};
const SECRET = "the webhook's signing secret";

export const lemonSqueezy = {
  name: 'lemon-squeezy',
  title: 'Lemon Squeezy',
  shapes: [
    (o) => (o('meta', 'event_name') && o('data', 'type') ? o('meta', 'event_name') : undefined),
  ],
  typePaths: [['meta', 'event_name']],
  proof: schemeProof(SCHEME, SECRET),
  mode: { path: ['meta', 'test_mode'], live: false, test: true },
  signature: { header: SCHEME.header, scheme: SCHEME, signer: schemeSigner(SCHEME) },
} satisfies Provider;
