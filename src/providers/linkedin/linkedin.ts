import type { Provider } from '../provider.ts';
import { schemeProof } from '../signing/proof.ts';
import { schemeSigner } from '../signing/scheme-signer.ts';
import type { SignatureScheme } from '../signing/signature-scheme.ts';
import { linkedinHandshake } from './handshake.ts';

/**
 * The hexadecimal HMAC-SHA256 of `hmacsha256=<body>`.
 *
 * https://learn.microsoft.com/linkedin/shared/api-guide/webhook-validation
 */
const SCHEME: SignatureScheme = {
  algorithm: 'hmac-sha256',
  key: 'text',
  header: 'X-LI-Signature',
  encoding: 'hex',
  form: { prefix: '' },
  signed: [{ text: 'hmacsha256=' }, 'body'],
  time: null,
};
const SECRET = "the app's client secret";

export const linkedin = {
  name: 'linkedin',
  title: 'LinkedIn',
  marks: [{ header: 'x-li-signature', rank: 3 }],
  proof: schemeProof(SCHEME, SECRET),
  signature: { header: SCHEME.header, scheme: SCHEME, signer: schemeSigner(SCHEME) },
  handshakes: [linkedinHandshake],
} satisfies Provider;
