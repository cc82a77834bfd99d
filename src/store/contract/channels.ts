import type { Channel } from '../../core/channels/channel.ts';
import type { Endpoint } from '../../core/model.ts';
import type { NewDestination } from './destinations.ts';

/** The channels that notify accounts of issues. Each channel has its own internal endpoint. */
export interface ChannelStore {
  /**
   * Adds a channel with its internal endpoint and destination. Throws `limit_reached` if the
   * account has `most` channels.
   */
  add(channel: NewChannel, most: number): Promise<Channel>;
  /** Returns all channels of the account, newest first. */
  list(userId: string): Promise<Channel[]>;
  /** Returns null if the account has no such channel. */
  find(userId: string, id: string): Promise<Channel | null>;
  /** Returns null if no channel has a confirmation with this hash. */
  findByConfirmation(hash: Uint8Array): Promise<Channel | null>;
  /**
   * Confirms an email address by the hash of its confirmation. Returns null if the confirmation was
   * used before, or if a newer address or confirmation has replaced it.
   */
  confirm(hash: Uint8Array, now: number): Promise<Channel | null>;
  /**
   * Updates the channel and its destination, in one commit. Returns null if the account has no such
   * channel.
   *
   * If an email address loses its confirmation, this drops the channel's messages, even those under
   * way. The owner of the new address hasn't agreed to receive them.
   */
  update(userId: string, id: string, patch: ChannelPatch): Promise<Channel | null>;
  /**
   * Deletes a channel with its queued messages and open deliveries. Returns false if the account
   * has no such channel.
   */
  remove(userId: string, id: string, now: number): Promise<boolean>;
  /**
   * Returns at most `limit` Slack channels whose URL isn't sealed. Older versions stored such URLs.
   * Returns none while a node of such a version is connected, because that node can't read a sealed
   * URL.
   */
  unsealed(limit: number): Promise<ClearChannel[]>;
  /**
   * Seals the URLs of channels, one commit each. Masks these URLs in past attempts. Skips a channel
   * whose URL has changed.
   */
  seal(channels: readonly SealedChannel[]): Promise<void>;
}

/** A channel whose URL isn't sealed yet. */
export interface ClearChannel extends Pick<Channel, 'key' | 'endpointKey' | 'destinationKey'> {
  /** The id to which the seal binds the URL. */
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
  /** The destination's new URL. Set if `target` changes. */
  url?: string;
  sealedUrl?: Uint8Array | null;
  /**
   * Set if the address changes. Messages to the old address then fail, because they have the old
   * token.
   */
  publicToken?: string;
  sealedSecret?: Uint8Array | null;
};
