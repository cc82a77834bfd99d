import type { Provider } from '../provider.ts';
import { FIVE_MINUTES, signatureIn } from '../signing/signed-by.ts';
import { discordHandshakes } from './handshake.ts';

const SIGNED = signatureIn('X-Signature-Ed25519', "the application's public key", {
  algorithm: 'ed25519',
  key: 'hex',
  signed: ['time', 'body'],
  time: { place: { header: 'X-Signature-Timestamp' }, unit: 's', ...FIVE_MINUTES },
});

/**
 * Discord's library doesn't check the age of a request.
 *
 * https://discord.com/developers/docs/interactions/overview#setting-up-an-endpoint-validating-security-request-headers
 */
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
  once: { by: [['body.id']] },
  handshakes: discordHandshakes,
  ...SIGNED,
  signature: {
    ...SIGNED.signature,
    rejection: { says: /invalid request signature/i, secret: SIGNED.proof.secret },
  },
} satisfies Provider;
