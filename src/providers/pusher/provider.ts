import type { Provider } from '../provider.ts';
import { schemeProof } from '../signing/proof.ts';
import { schemeSigner } from '../signing/scheme-signer.ts';
import type { SignatureScheme } from '../signing/signature-scheme.ts';

/**
 * The hexadecimal HMAC-SHA256 of the body; the key is the secret of the app key in
 * `X-Pusher-Key`.
 *
 * https://pusher.com/docs/channels/server_api/webhooks/#authentication
 */
const SCHEME: SignatureScheme = {
  algorithm: 'hmac-sha256',
  key: 'text',
  header: 'X-Pusher-Signature',
  encoding: 'hex',
  form: { prefix: '' },
  signed: ['body'],
  time: null,
};
const SECRET = "the app key's secret";

export const pusher = {
  name: 'pusher',
  title: 'Pusher',
  marks: [{ header: 'x-pusher-signature', rank: 3 }],
  proof: schemeProof(SCHEME, SECRET),
  signature: { header: SCHEME.header, scheme: SCHEME, signer: schemeSigner(SCHEME) },
} satisfies Provider;
