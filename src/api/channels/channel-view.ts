import type { Channel } from '../../core/channels/channel.ts';
import { NO_FLOW } from '../../core/flow/flow.ts';
import { healthOf } from '../../core/flow/health.ts';
import type { ListedDelivery } from '../../core/model.ts';
import type { Keys } from '../../core/secrets/keys.ts';
import { maskedSecret } from '../../core/secrets/masked-secret.ts';
import { maskedUrl } from '../../core/secrets/masked-url.ts';
import type { DeliveryStore } from '../../store/contract/deliveries.ts';
import type { DestinationStore } from '../../store/contract/destinations.ts';
import { healthView } from '../destinations/destination-view.ts';
import { isoTime, isoTimeOrNull } from '../iso-time.ts';
import type * as api from './channel-answer.ts';

export interface ChannelViewsOptions {
  destinations: Pick<DestinationStore, 'get' | 'conditions'>;
  deliveries: Pick<DeliveryStore, 'list'>;
  keys: Keys;
  now(): number;
}

export type ShownChannelSettings = Pick<
  api.ChannelAnswer,
  'type' | 'url' | 'to' | 'kinds' | 'endpoint_ids'
>;

/** Masks the secrets. */
export class ChannelViews {
  readonly #options: ChannelViewsOptions;

  constructor(options: ChannelViewsOptions) {
    this.#options = options;
  }

  /** @param secret a new secret, which this answer shows unmasked */
  async one(channel: Channel, secret?: string): Promise<api.ChannelAnswer> {
    const { destinations, deliveries, keys, now } = this.#options;
    const { endpointKey, destinationId } = channel;
    const [destination, [condition], { deliveries: newest }] = await Promise.all([
      destinations.get(endpointKey, destinationId),
      destinations.conditions(endpointKey, destinationId),
      deliveries.list(endpointKey, {}, { offset: 0, limit: 1, now: now() }),
    ]);
    const sealed = destination?.sealedSecret ?? null;
    const shown = secret ?? (sealed && maskedSecret(keys.open(sealed, destinationId)));
    return {
      id: channel.id,
      ...channelSettings(channel),
      ...(shown !== null && { secret: shown }),
      confirmed: channel.type !== 'email' || channel.confirmedAt !== null,
      created_at: isoTime(channel.createdAt),
      last_delivery: newest[0] ? deliveryView(newest[0]) : null,
      health: healthView(healthOf(condition?.flow ?? NO_FLOW)),
    };
  }

  async all(channels: readonly Channel[]): Promise<api.ChannelAnswer[]> {
    return Promise.all(channels.map((channel) => this.one(channel)));
  }
}

/**
 * Masks a Slack URL, because it is a secret. `ChannelStore.unsealed` still has it in plain text.
 */
export function channelSettings(channel: Channel): ShownChannelSettings {
  const { type, target, kinds, endpointIds } = channel;
  return {
    type,
    ...(type === 'email' ? { to: target } : { url: type === 'slack' ? maskedUrl(target) : target }),
    kinds: kinds && [...kinds],
    endpoint_ids: endpointIds && [...endpointIds],
  };
}

function deliveryView(delivery: ListedDelivery): api.ChannelDelivery {
  return {
    id: delivery.id,
    state: delivery.state,
    at: isoTime(delivery.createdAt),
    attempts: delivery.attempts,
    error: delivery.error,
    next_attempt_at: isoTimeOrNull(delivery.nextAttemptAt),
  };
}
