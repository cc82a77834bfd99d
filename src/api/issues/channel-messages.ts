import type { Channel, ChannelType } from '../../core/issues/channel.ts';
import type { IssueKind } from '../../core/issues/issue.ts';
import type { NewChannel } from '../../store/contract/channels.ts';

/** What a person gave for a channel. */
export interface GivenChannel {
  userId: string;
  type: ChannelType;
  /** A URL, or an email address. */
  target: string;
  /** Of a webhook. */
  secret: string | null;
  kinds: readonly IssueKind[] | null;
  endpointIds: readonly string[] | null;
}

/** What is asked of an address, and the token of the link that answers it. */
export interface Confirmation {
  token: string;
  hash: Uint8Array;
}

/** Channels and their messages, as far as the routes make them. */
export interface ChannelMessages {
  /** @param confirmation of an email's address; null for the other types */
  newChannel(given: GivenChannel, confirmation: Confirmation | null, now: number): NewChannel;
  /** The destination's URL for an email address. */
  mailUrl(address: string): string;
  /** Queues a message that says that the channel works, and returns its id. */
  sendTest(channel: Channel): Promise<string>;
  /** Queues the question whether the address wants alerts, with a link that answers it. */
  sendConfirmation(channel: Channel, token: string): Promise<void>;
}
