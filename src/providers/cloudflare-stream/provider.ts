import type { Provider } from '../provider.ts';
import { schemeProof } from '../signing/proof.ts';
import { schemeSigner } from '../signing/scheme-signer.ts';
import type { SignatureScheme } from '../signing/signature-scheme.ts';

/**
 * `time=<seconds>,sig1=` and the hexadecimal HMAC-SHA256 of `<seconds>.<body>`.
 *
 * https://developers.cloudflare.com/stream/manage-video-library/using-webhooks/
 */
const SCHEME: SignatureScheme = {
  algorithm: 'hmac-sha256',
  key: 'text',
  header: 'Webhook-Signature',
  encoding: 'hex',
  form: { separator: ',', field: 'sig1' },
  signed: ['time', { text: '.' }, 'body'],
  time: {
    place: { field: 'time' },
    unit: 's',
    toleranceMs: 300_000,
    isTwoSided: true,
  },
};

export const cloudflareStream = {
  name: 'cloudflare-stream',
  title: 'Cloudflare Stream',
  shapes: [
    (o) => (o('readyToStream') !== undefined && o('uid') ? o('status', 'state') : undefined),
  ],
  proof: schemeProof(SCHEME, "the webhook's secret"),
  signature: {
    header: SCHEME.header,
    scheme: SCHEME,
    signer: schemeSigner(SCHEME),
  },
} satisfies Provider;
