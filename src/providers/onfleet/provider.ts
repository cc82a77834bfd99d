import { challengeQuery } from '../handshaking/challenge-query.ts';
import type { Provider } from '../provider.ts';
import { schemeProof } from '../signing/proof.ts';
import { schemeSigner } from '../signing/scheme-signer.ts';
import { TEST_SECRET } from '../signing/signature.ts';
import type { SignatureScheme } from '../signing/signature-scheme.ts';

/**
 * The hexadecimal HMAC-SHA512 of the body. The key is hexadecimal.
 *
 * https://docs.onfleet.com/reference/secrets
 */
const SCHEME: SignatureScheme = {
  algorithm: 'hmac-sha512',
  key: 'hex',
  header: 'X-Onfleet-Signature',
  encoding: 'hex',
  form: { prefix: '' },
  signed: ['body'],
  time: null,
};
const SECRET = 'the webhook secret';

export const onfleet = {
  name: 'onfleet',
  title: 'Onfleet',
  marks: [{ header: 'x-onfleet-signature', rank: 3 }],
  proof: schemeProof(SCHEME, SECRET),
  signature: {
    header: SCHEME.header,
    scheme: SCHEME,
    signer: schemeSigner(SCHEME, Buffer.from(TEST_SECRET).toString('hex')),
  },
  handshakes: [
    /** https://docs.onfleet.com/reference/create-webhook */
    challengeQuery('check', 'Onfleet checks that this URL is yours before it sends events.'),
  ],
} satisfies Provider;
