import type { Channel } from '../../core/channels/channel.ts';
import type { Endpoint } from '../../core/model.ts';
import type { NewDestination } from './destinations.ts';

/** Where accounts hear of their issues. Each channel's internal endpoint lives and dies with it. */
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
  /** The channel whose confirmation has this hash. */
  findByConfirmation(hash: Uint8Array): Promise<Channel | null>;
  /**
   * Confirms the address whose confirmation has this hash. Null where it was used already,
   * or where another address or another confirmation has taken its place.
   */
  confirm(hash: Uint8Array, now: number): Promise<Channel | null>;
  /**
   * Changes what the patch names; a new target goes to the destination's URL in the same
   * commit. An email that loses its confirmation also loses its messages, those on their
   * way too: nobody has asked the new address. Null when there is no such channel.
   */
  update(userId: string, id: string, patch: ChannelPatch): Promise<Channel | null>;
  /**
   * Removes a channel, its waiting messages, and what is on its way. False when there is no
   * such channel.
   */
  remove(userId: string, id: string, now: number): Promise<boolean>;
  /**
   * Slack channels whose URL stands in clear, at most `limit`: an older version wrote them.
   * None while a node of such a version is connected, which couldn't send to a sealed one.
   */
  unsealed(limit: number): Promise<ClearChannel[]>;
  /**
   * Replaces URLs by their sealed form, also where past attempts name them, each in one commit.
   * A channel that has another URL by now stays as it is.
   */
  seal(channels: readonly SealedChannel[]): Promise<void>;
}

/** A channel whose URL is to be sealed. */
export interface ClearChannel extends Pick<Channel, 'key' | 'endpointKey' | 'destinationKey'> {
  /** The URL is sealed with it. */
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
  /** With a new address: what is on its way to the old one ends at the old token. */
  publicToken?: string;
  sealedSecret?: Uint8Array | null;
};
