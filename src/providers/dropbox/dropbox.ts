import type { Provider } from '../provider.ts';
import { schemeProof } from '../signing/proof.ts';
import { schemeSigner } from '../signing/scheme-signer.ts';
import type { SignatureScheme } from '../signing/signature-scheme.ts';
import { dropboxHandshakes } from './handshake.ts';

/**
 * The hexadecimal HMAC-SHA256 of the body.
 *
 * https://www.dropbox.com/developers/reference/webhooks
 */
const SCHEME: SignatureScheme = {
  algorithm: 'hmac-sha256',
  key: 'text',
  header: 'X-Dropbox-Signature',
  encoding: 'hex',
  form: { prefix: '' },
  signed: ['body'],
  time: null,
};
const SECRET = "the app's secret";

export const dropbox = {
  name: 'dropbox',
  title: 'Dropbox',
  marks: [{ header: 'x-dropbox-signature', rank: 3 }],
  proof: schemeProof(SCHEME, SECRET),
  signature: { header: SCHEME.header, scheme: SCHEME, signer: schemeSigner(SCHEME) },
  handshakes: dropboxHandshakes,
} satisfies Provider;
