import type { Provider } from '../provider.ts';
import { signatureIn } from '../signing/signed-by.ts';
import { twitchHandshake } from './handshake.ts';

/** https://dev.twitch.tv/docs/eventsub/handling-webhook-events/#verifying-the-event-message */
export const twitch = {
  name: 'twitch',
  title: 'Twitch',
  marks: [{ header: 'twitch-eventsub-subscription-type', isType: true, rank: 3 }],
  deliveryIdHeader: 'twitch-eventsub-message-id',
  once: { by: [['header.twitch-eventsub-message-id']] },
  handshakes: [twitchHandshake],
  ...signatureIn('Twitch-Eventsub-Message-Signature', "the subscription's secret", {
    form: { prefix: 'sha256=' },
    signed: [{ header: 'Twitch-Eventsub-Message-Id' }, 'time', 'body'],
    time: {
      place: { header: 'Twitch-Eventsub-Message-Timestamp' },
      unit: 'iso',
      toleranceMs: 600_000,
      isTwoSided: false,
    },
  }),
} satisfies Provider;
