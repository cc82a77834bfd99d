import type { Provider } from '../provider.ts';
import { schemeProof } from '../signing/proof.ts';
import { schemeSigner } from '../signing/scheme-signer.ts';
import type { SignatureScheme } from '../signing/signature-scheme.ts';
import { zoomHandshake } from './handshake.ts';

/**
 * `v0=` and the hexadecimal HMAC-SHA256 of `v0:<seconds>:<body>`. Zoom's sample checks no age.
 *
 * https://developers.zoom.us/docs/api/webhooks/#verify-with-zooms-header
 */
const SCHEME: SignatureScheme = {
  algorithm: 'hmac-sha256',
  key: 'text',
  header: 'x-zm-signature',
  encoding: 'hex',
  form: { prefix: 'v0=' },
  signed: [{ text: 'v0:' }, 'time', { text: ':' }, 'body'],
  time: {
    place: { header: 'x-zm-request-timestamp' },
    unit: 's',
    toleranceMs: 300_000,
    isTwoSided: true,
  },
};
const SECRET = "the app's secret token";

export const zoom = {
  name: 'zoom',
  title: 'Zoom',
  marks: [{ header: 'x-zm-signature', rank: 3 }],
  shapes: [
    (o) => ((o('payload', 'account_id') ?? o('payload', 'plainToken')) ? o('event') : undefined),
  ],
  typePaths: [['event']],
  proof: schemeProof(SCHEME, SECRET),
  signature: { header: SCHEME.header, scheme: SCHEME, signer: schemeSigner(SCHEME) },
  handshakes: [zoomHandshake],
} satisfies Provider;
