import type { Provider } from '../provider.ts';
import { FIVE_MINUTES, ownSignatureIn } from '../signing/signed-by.ts';
import { zoomHandshake } from './handshake.ts';

/**
 * Zoom's sample code doesn't check the age.
 *
 * https://developers.zoom.us/docs/api/webhooks/#verify-with-zooms-header
 */
export const zoom = {
  name: 'zoom',
  title: 'Zoom',
  shapes: [
    (o) => ((o('payload', 'account_id') ?? o('payload', 'plainToken')) ? o('event') : undefined),
  ],
  typePaths: [['event']],
  handshakes: [zoomHandshake],
  ...ownSignatureIn('x-zm-signature', "the app's secret token", {
    form: { prefix: 'v0=' },
    signed: [{ text: 'v0:' }, 'time', { text: ':' }, 'body'],
    time: { place: { header: 'x-zm-request-timestamp' }, unit: 's', ...FIVE_MINUTES },
  }),
} satisfies Provider;
