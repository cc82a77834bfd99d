import type { Channel } from '../../core/channels/channel.ts';
import type { Endpoint } from '../../core/model.ts';
import type { NewDestination } from './destinations.ts';

/** The channels by which accounts are notified of issues. Each has its own internal endpoint. */
export interface ChannelStore {
  /**
   * Adds a channel with its internal endpoint and destination. Throws `limit_reached` if
   * the account has `most` channels.
   */
  add(channel: NewChannel, most: number): Promise<Channel>;
  /** Newest first. */
  list(userId: string): Promise<Channel[]>;
  /** Null when the account has no such channel. */
  find(userId: string, id: string): Promise<Channel | null>;
  /** Finds a channel by the hash of its confirmation. */
  findByConfirmation(hash: Uint8Array): Promise<Channel | null>;
  /**
   * Confirms the address whose confirmation has this hash. Null if the confirmation was
   * used before, or if a newer address or confirmation has replaced it.
   */
  confirm(hash: Uint8Array, now: number): Promise<Channel | null>;
  /**
   * Changes what the patch names, in the channel and in its destination, in one commit. If
   * an email address loses its confirmation, its messages are dropped, also those on their
   * way: the new address hasn't agreed to them. Null when there is no such channel.
   */
  update(userId: string, id: string, patch: ChannelPatch): Promise<Channel | null>;
  /**
   * Removes a channel with its waiting messages and open deliveries. False when there is no
   * such channel.
   */
  remove(userId: string, id: string, now: number): Promise<boolean>;
  /**
   * Slack channels whose URL isn't sealed, at most `limit`. Older versions wrote them. None
   * while a node of such a version is connected: it couldn't send to a sealed URL.
   */
  unsealed(limit: number): Promise<ClearChannel[]>;
  /**
   * Seals the URLs of channels, each in one commit, and masks them in past attempts. Skips a
   * channel whose URL has changed.
   */
  seal(channels: readonly SealedChannel[]): Promise<void>;
}

/** A channel whose URL is to be sealed. */
export interface ClearChannel extends Pick<Channel, 'key' | 'endpointKey' | 'destinationKey'> {
  /** The seal of the URL includes it. */
  destinationId: string;
  url: string;
}

export interface SealedChannel extends ClearChannel {
  sealedUrl: Uint8Array;
}

export interface NewChannel
  extends Omit<
    Channel,
    'key' | 'endpointKey' | 'destinationKey' | 'publicToken' | 'destinationId'
  > {
  endpoint: Omit<Endpoint, 'key'>;
  destination: NewDestination;
}

export type ChannelPatch = Partial<
  Pick<
    Channel,
    'target' | 'kinds' | 'endpointIds' | 'confirmedAt' | 'confirmHash' | 'confirmSentAt'
  >
> & {
  /** URL of the destination, with a new target. */
  url?: string;
  sealedUrl?: Uint8Array | null;
  /** Set with a new address, so that messages to the old address fail at the old token. */
  publicToken?: string;
  sealedSecret?: Uint8Array | null;
};
