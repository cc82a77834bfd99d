import type { Provider } from '../provider.ts';
import { ed25519Signer } from '../signing/ed25519-signer.ts';
import { schemeProof } from '../signing/proof.ts';
import type { SignatureScheme } from '../signing/signature-scheme.ts';
import { discordHandshakes } from './handshake.ts';

/**
 * The hexadecimal Ed25519 signature of the seconds and the body. Discord's library checks no
 * age.
 *
 * https://discord.com/developers/docs/interactions/overview#setting-up-an-endpoint-validating-security-request-headers
 */
const SCHEME: SignatureScheme = {
  algorithm: 'ed25519',
  key: 'hex',
  header: 'X-Signature-Ed25519',
  encoding: 'hex',
  form: { prefix: '' },
  signed: ['time', 'body'],
  time: {
    place: { header: 'X-Signature-Timestamp' },
    unit: 's',
    toleranceMs: 300_000,
    isTwoSided: true,
  },
};
const SECRET = "the application's public key";

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
  proof: schemeProof(SCHEME, SECRET),
  signature: {
    header: SCHEME.header,
    scheme: SCHEME,
    signer: ed25519Signer(SCHEME),
    rejection: {
      says: /invalid request signature/i,
      secret: SECRET,
    },
  },
  handshakes: discordHandshakes,
} satisfies Provider;
