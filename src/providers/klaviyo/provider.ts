import type { Provider } from '../provider.ts';
import { schemeProof } from '../signing/proof.ts';
import { schemeSigner } from '../signing/scheme-signer.ts';
import type { SignatureScheme } from '../signing/signature-scheme.ts';

/**
 * The hexadecimal HMAC-SHA256 of the body followed by the time, which is an HTTP date.
 *
 * https://developers.klaviyo.com/en/docs/working_with_system_webhooks
 */
const SCHEME: SignatureScheme = {
  algorithm: 'hmac-sha256',
  key: 'text',
  header: 'Klaviyo-Signature',
  encoding: 'hex',
  form: { prefix: '' },
  signed: ['body', 'time'],
  time: {
    place: { header: 'Klaviyo-Timestamp' },
    unit: 'any',
    toleranceMs: 300_000,
    isTwoSided: true,
  },
};

export const klaviyo = {
  name: 'klaviyo',
  title: 'Klaviyo',
  marks: [{ header: 'klaviyo-signature', rank: 3 }],
  proof: schemeProof(SCHEME, "the webhook's secret key"),
  signature: {
    header: SCHEME.header,
    scheme: SCHEME,
    signer: schemeSigner(SCHEME),
  },
} satisfies Provider;
