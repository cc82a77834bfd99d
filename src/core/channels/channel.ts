import type { IssueKind } from '../issues/issue.ts';

/**
 * A channel notifies an account of its issues. Each channel has an internal endpoint with one
 * destination. Each message is an event of that endpoint. So messages share the queue, the retries
 * and the breaker with all other deliveries.
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
  userId: string;
  type: ChannelType;
  /** The URL of a `webhook`, the masked URL of a `slack`, or the address of an `email`. */
  target: string;
  /** The kinds of issues that the channel reports. Null for all kinds. */
  kinds: readonly IssueKind[] | null;
  /** The endpoints whose issues the channel reports. Null for all endpoints. */
  endpointIds: readonly string[] | null;
  /** When the owner of the address confirmed it. Null until then. Required only for `email`. */
  confirmedAt: number | null;
  /** The SHA-256 of the token in the confirmation link. Null if no confirmation is pending. */
  confirmHash: Uint8Array | null;
  confirmSentAt: number | null;
  endpointKey: number;
  /** The public token of the internal endpoint. */
  publicToken: string;
  destinationKey: number;
  /** The id of the internal destination. The destination's secret is sealed with this id. */
  destinationId: string;
  createdAt: number;
}

/** A message that waits for its capture at the channel's endpoint. */
export interface ChannelMessage {
  /** The id and the idempotency key: a message that is captured twice is delivered once. */
  id: string;
  channelKey: number;
  /** The channel's token when the message was written. A new email address brings a new token. */
  publicToken: string;
  contentType: string;
  body: string;
  createdAt: number;
}
