import type { Provider } from '../provider.ts';
import { schemeProof } from '../signing/proof.ts';
import { schemeSigner } from '../signing/scheme-signer.ts';
import type { SignatureScheme } from '../signing/signature-scheme.ts';

/**
 * `ts=<seconds>;h1=` and the hexadecimal HMAC-SHA256 of `<seconds>:<body>`. Paddle's library
 * takes signatures of up to 5 seconds.
 *
 * https://developer.paddle.com/webhooks/signature-verification
 */
const SCHEME: SignatureScheme = {
  algorithm: 'hmac-sha256',
  key: 'text',
  header: 'Paddle-Signature',
  encoding: 'hex',
  form: { separator: ';', field: 'h1' },
  signed: ['time', { text: ':' }, 'body'],
  time: { place: { field: 'ts' }, unit: 's', toleranceMs: 5_000, isTwoSided: false },
};
const SECRET = 'the secret key of the notification destination';

export const paddle = {
  name: 'paddle',
  title: 'Paddle',
  marks: [{ header: 'paddle-signature', rank: 3 }],
  shapes: [(o) => (o('notification_id') && o('event_id') ? o('event_type') : undefined)],
  typePaths: [['event_type']],
  proof: schemeProof(SCHEME, SECRET),
  once: { by: [['body.event_id']] },
  signature: { header: SCHEME.header, scheme: SCHEME, signer: schemeSigner(SCHEME) },
} satisfies Provider;
