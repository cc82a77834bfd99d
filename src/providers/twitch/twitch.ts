import type { Provider } from '../provider.ts';
import { schemeProof } from '../signing/proof.ts';
import { schemeSigner } from '../signing/scheme-signer.ts';
import type { SignatureScheme } from '../signing/signature-scheme.ts';
import { twitchHandshake } from './handshake.ts';

/**
 * `sha256=` and the hexadecimal HMAC-SHA256 of `<id><time><body>`.
 *
 * https://dev.twitch.tv/docs/eventsub/handling-webhook-events/#verifying-the-event-message
 */
const SCHEME: SignatureScheme = {
  algorithm: 'hmac-sha256',
  key: 'text',
  header: 'Twitch-Eventsub-Message-Signature',
  encoding: 'hex',
  form: { prefix: 'sha256=' },
  signed: [{ header: 'Twitch-Eventsub-Message-Id' }, 'time', 'body'],
  time: {
    place: { header: 'Twitch-Eventsub-Message-Timestamp' },
    unit: 'iso',
    toleranceMs: 600_000,
    isTwoSided: false,
  },
};

export const twitch = {
  name: 'twitch',
  title: 'Twitch',
  marks: [{ header: 'twitch-eventsub-subscription-type', isType: true, rank: 3 }],
  deliveryIdHeader: 'twitch-eventsub-message-id',
  proof: schemeProof(SCHEME, "the subscription's secret"),
  once: { by: [['header.twitch-eventsub-message-id']] },
  signature: {
    header: SCHEME.header,
    scheme: SCHEME,
    signer: schemeSigner(SCHEME),
  },
  handshakes: [twitchHandshake],
} satisfies Provider;
