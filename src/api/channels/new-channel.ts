import { randomBytes } from 'node:crypto';
import { type Channel, type ChannelType, INTERNAL_USER } from '../../core/channels/channel.ts';
import { newConfirmation } from '../../core/channels/confirmation.ts';
import { mailtoUrl } from '../../core/channels/mailto-url.ts';
import { MESSAGE_KEY_HEADER } from '../../core/channels/message-key.ts';
import { newId } from '../../core/ids.ts';
import type { Keys } from '../../core/secrets/keys.ts';
import { maskedUrl } from '../../core/secrets/masked-url.ts';
import { DEFAULT_DESTINATION_SETTINGS } from '../../core/settings/destination-settings.ts';
import { newEndpoint } from '../../core/settings/new-endpoint.ts';
import type { NewChannel } from '../../store/contract/channels.ts';

/** Deadline of an attempt, ms. Mail servers make unknown clients wait for the greeting. */
const EMAIL_TIMEOUT_MS = 60_000;
const SINCE_BYTES = 9;

export interface ChosenChannel
  extends Pick<Channel, 'userId' | 'type' | 'target' | 'kinds' | 'endpointIds'> {
  /** Signs the messages of a `webhook`; null for the other types. */
  secret: string | null;
}

export interface MadeChannel {
  channel: NewChannel;
  /** The token in the confirmation link; null for a channel that needs no confirmation. */
  token: string | null;
}

/**
 * Returns a channel with its internal endpoint and destination. The endpoint deduplicates messages
 * by their key, because a crash can capture a message twice.
 *
 * @param chosen `target` is a checked URL (`webhook`, `slack`) or address (`email`)
 */
export function newChannel(
  { userId, type, target, kinds, endpointIds, secret }: ChosenChannel,
  keys: Pick<Keys, 'seal'>,
  now: number,
): MadeChannel {
  const id = newId('chn', now);
  const destinationId = newId('dst', now);
  const { confirmation, token, ...to } = newTarget(type, target, { destinationId, keys, now });
  const since = randomBytes(SINCE_BYTES).toString('base64url');
  const endpoint = newEndpoint(INTERNAL_USER.id, id, now);
  return {
    channel: {
      id,
      ...{ userId, type, target: to.target, kinds, endpointIds, createdAt: now },
      ...confirmation,
      endpoint: {
        ...endpoint,
        settings: {
          ...endpoint.settings,
          dedupe: { by: [`header.${MESSAGE_KEY_HEADER}`], since },
        },
      },
      destination: {
        id: destinationId,
        url: to.url,
        sealedUrl: to.sealedUrl,
        sealedSecret: secret === null ? null : keys.seal(secret, destinationId),
        sealedHeaders: null,
        settings: {
          ...DEFAULT_DESTINATION_SETTINGS,
          name: id,
          path: 'ignore',
          timeout: type === 'email' ? EMAIL_TIMEOUT_MS : null,
        },
        createdAt: now,
      },
    },
    token,
  };
}

export interface NewTarget extends Pick<Channel, 'target'> {
  url: string;
  sealedUrl: Uint8Array | null;
  confirmation: Pick<Channel, 'confirmedAt' | 'confirmHash' | 'confirmSentAt'>;
  token: string | null;
}

/** Seals a Slack URL. An e-mail address needs a confirmation. */
export function newTarget(
  type: ChannelType,
  target: string,
  { destinationId, keys, now }: { destinationId: string; keys: Pick<Keys, 'seal'>; now: number },
): NewTarget {
  if (type === 'email') {
    const { token, hash } = newConfirmation();
    const confirmation = { confirmedAt: null, confirmHash: hash, confirmSentAt: now };
    return { target, url: mailtoUrl(target), sealedUrl: null, confirmation, token };
  }
  const confirmation = { confirmedAt: now, confirmHash: null, confirmSentAt: null };
  if (type === 'webhook')
    return { target, url: target, sealedUrl: null, confirmation, token: null };
  const masked = maskedUrl(target);
  const sealedUrl = keys.seal(target, destinationId);
  return { target: masked, url: masked, sealedUrl, confirmation, token: null };
}
