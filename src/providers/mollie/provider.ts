import type { Provider } from '../provider.ts';
import { schemeProof } from '../signing/proof.ts';
import { schemeSigner } from '../signing/scheme-signer.ts';
import type { SignatureScheme } from '../signing/signature-scheme.ts';

/**
 * `sha256=` and the hexadecimal HMAC-SHA256 of the body, of next-generation webhooks. Mollie
 * sends the header twice while a secret rotates.
 *
 * https://docs.mollie.com/reference/webhooks-new
 */
const SCHEME: SignatureScheme = {
  algorithm: 'hmac-sha256',
  key: 'text',
  header: 'X-Mollie-Signature',
  encoding: 'hex',
  form: { prefix: 'sha256=' },
  signed: ['body'],
  time: null,
};
const SECRET = "the webhook's signing secret";

export const mollie = {
  name: 'mollie',
  title: 'Mollie',
  marks: [{ header: 'x-mollie-signature', rank: 3 }],
  typePaths: [['type']],
  proof: schemeProof(SCHEME, SECRET),
  once: { by: [['body.id']] },
  signature: { header: SCHEME.header, scheme: SCHEME, signer: schemeSigner(SCHEME) },
} satisfies Provider;
