import { BODY, hmac, TEXTS } from '../documented.ts';
import type { Vector } from '../vector.ts';

const ID = 'e76c6bd4-55c9-4987-8304-da1588d8988b';

export default [
  {
    ...TEXTS,
    header: 'Twitch-Eventsub-Message-Signature',
    body: BODY,
    window: { pastS: 600, futureS: null },
    sign: ({ body, at }, secret) => {
      // Twitch's times have nanoseconds.
      const t = new Date(at).toISOString().replace('.000Z', '.000000123Z');
      const signature = hmac('sha256', secret, 'hex', ID, t, body);
      return {
        headers: [
          ['Twitch-Eventsub-Message-Id', ID],
          ['Twitch-Eventsub-Message-Timestamp', t],
          ['Twitch-Eventsub-Message-Signature', `sha256=${signature}`],
        ],
      };
    },
  },
] satisfies Vector[];
