import type { IssueKind } from '../issues/issue.ts';

/**
 * A channel tells an account about its issues. Each channel has an internal endpoint with one
 * destination, and each message is an event of that endpoint. So messages share the queue, the
 * retries, the breaker and the record of attempts with all other deliveries.
 *
 * One internal account owns all internal endpoints. Nobody can sign in to it, and no list shows it.
 */
export const CHANNEL_TYPES = ['webhook', 'slack', 'email'] as const;
export type ChannelType = (typeof CHANNEL_TYPES)[number];

/** The account of all internal endpoints. */
export const INTERNAL_USER = {
  id: 'usr_internal',
  email: '',
  passwordHash: '',
  plan: 'pro',
} as const;

export interface Channel {
  key: number;
  id: string;
  /** The account that owns the channel. */
  userId: string;
  type: ChannelType;
  /** The URL of a `webhook`, the masked URL of a `slack`, or the address of an `email`. */
  target: string;
  /** Kinds of issues that the channel reports. Null for all kinds. */
  kinds: readonly IssueKind[] | null;
  /** Endpoints whose issues the channel reports. Null for all endpoints. */
  endpointIds: readonly string[] | null;
  /** When the owner of the address confirmed it. Null until then. Only an `email` needs this. */
  confirmedAt: number | null;
  /** SHA-256 of the token in the confirmation link. Null if no confirmation is pending. */
  confirmHash: Uint8Array | null;
  /** When the last confirmation was sent. */
  confirmSentAt: number | null;
  endpointKey: number;
  /** Public token of the internal endpoint, which captures the messages. */
  publicToken: string;
  destinationKey: number;
  /** Id of the internal destination. The destination's secret is sealed with this id. */
  destinationId: string;
  createdAt: number;
}

/** A message that waits to be captured at its channel's endpoint. */
export interface ChannelMessage {
  /** Also the message's idempotency key: a message that is captured twice is delivered once. */
  id: string;
  channelKey: number;
  /** The channel's token when the message was written. A new email address brings a new token. */
  publicToken: string;
  contentType: string;
  body: string;
  createdAt: number;
}
