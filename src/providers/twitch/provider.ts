import type { Provider } from '../provider.ts';

export const twitch = {
  name: 'twitch',
  title: 'Twitch',
  marks: [{ header: 'twitch-eventsub-subscription-type', isType: true, rank: 3 }],
} satisfies Provider;
