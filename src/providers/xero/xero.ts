import type { Provider } from '../provider.ts';
import { schemeProof } from '../signing/proof.ts';
import { schemeSigner } from '../signing/scheme-signer.ts';
import type { SignatureScheme } from '../signing/signature-scheme.ts';
import { xeroHandshake } from './handshake.ts';

/**
 * The base64 HMAC-SHA256 of the body.
 *
 * https://developer.xero.com/documentation/guides/webhooks/overview/
 */
const SCHEME: SignatureScheme = {
  algorithm: 'hmac-sha256',
  key: 'text',
  header: 'x-xero-signature',
  encoding: 'base64',
  form: { prefix: '' },
  signed: ['body'],
  time: null,
};
const SECRET = "the app's webhooks key";

export const xero = {
  name: 'xero',
  title: 'Xero',
  marks: [{ header: 'x-xero-signature', rank: 3 }],
  proof: schemeProof(SCHEME, SECRET),
  signature: { header: SCHEME.header, scheme: SCHEME, signer: schemeSigner(SCHEME) },
  handshakes: [xeroHandshake],
} satisfies Provider;
