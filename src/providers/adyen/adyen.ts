import type { Provider } from '../provider.ts';
import { adyenProof } from './verify.ts';

export const adyen = {
  name: 'adyen',
  title: 'Adyen',
  shapes: [
    (o) =>
      Array.isArray(o('notificationItems')) && o('live') !== undefined
        ? (o('notificationItems', '0', 'NotificationRequestItem', 'eventCode') ?? null)
        : undefined,
  ],
  proof: adyenProof,
  leastBody: (eventCode) => ({
    live: 'false',
    notificationItems: [{ NotificationRequestItem: { eventCode } }],
  }),
} satisfies Provider;
