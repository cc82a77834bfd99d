import type { Provider } from '../provider.ts';

export const discord = {
  name: 'discord',
  title: 'Discord',
  marks: [
    { header: 'x-discord-signature-ed25519', rank: 3 },
    { header: 'x-signature-ed25519', rank: 2 },
  ],
  shapes: [
    (o) => (o('application_id') && o('version') === 1 ? (o('event', 'type') ?? null) : undefined),
  ],
  signature: {
    header: 'X-Signature-Ed25519',
    rejection: {
      says: /invalid request signature/i,
      secret: "the application's public key",
    },
  },
} satisfies Provider;
