import type { Provider } from '../provider.ts';
import { schemeProof } from '../signing/proof.ts';
import { schemeSigner } from '../signing/scheme-signer.ts';
import type { SignatureScheme } from '../signing/signature-scheme.ts';
import { verifyAnyScheme } from '../signing/verify-scheme.ts';

/**
 * The base64 HMAC-SHA256 of the body and the RFC 3339 time of delivery, by the app's primary key.
 * Box's library takes deliveries of up to 10 minutes.
 *
 * https://developer.box.com/guides/webhooks/v2/signatures-v2/
 */
const PRIMARY: SignatureScheme = {
  algorithm: 'hmac-sha256',
  key: 'text',
  header: 'BOX-SIGNATURE-PRIMARY',
  encoding: 'base64',
  form: { prefix: '' },
  signed: ['body', 'time'],
  time: {
    place: { header: 'BOX-DELIVERY-TIMESTAMP' },
    unit: 'iso',
    toleranceMs: 600_000,
    isTwoSided: true,
  },
};
/** The same by the secondary key, so that a key can be exchanged. */
const SECONDARY: SignatureScheme = { ...PRIMARY, header: 'BOX-SIGNATURE-SECONDARY' };
const SCHEMES = [PRIMARY, SECONDARY];

export const box = {
  name: 'box',
  title: 'Box',
  marks: [
    { header: 'box-signature-primary', rank: 3 },
    { header: 'box-delivery-id', rank: 3 },
  ],
  typePaths: [['trigger']],
  proof: {
    ...schemeProof(PRIMARY, "one of the app's two signature keys"),
    check: (request, secret) => verifyAnyScheme(SCHEMES, request, secret),
  },
  signature: { header: PRIMARY.header, scheme: PRIMARY, signer: schemeSigner(PRIMARY) },
} satisfies Provider;
