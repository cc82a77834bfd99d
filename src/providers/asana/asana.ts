import type { Provider } from '../provider.ts';
import { schemeProof } from '../signing/proof.ts';
import { schemeSigner } from '../signing/scheme-signer.ts';
import type { SignatureScheme } from '../signing/signature-scheme.ts';
import { asanaHandshake } from './handshake.ts';

/**
 * The hexadecimal HMAC-SHA256 of the body. The key came with the handshake, in
 * `X-Hook-Secret`.
 *
 * https://developers.asana.com/docs/webhooks-guide#security
 */
const SCHEME: SignatureScheme = {
  algorithm: 'hmac-sha256',
  key: 'text',
  header: 'X-Hook-Signature',
  encoding: 'hex',
  form: { prefix: '' },
  signed: ['body'],
  time: null,
};
const SECRET = 'the X-Hook-Secret of the handshake';

export const asana = {
  name: 'asana',
  title: 'Asana',
  marks: [{ header: 'x-hook-signature', rank: 2 }],
  proof: schemeProof(SCHEME, SECRET),
  signature: { header: SCHEME.header, scheme: SCHEME, signer: schemeSigner(SCHEME) },
  handshakes: [asanaHandshake],
} satisfies Provider;
