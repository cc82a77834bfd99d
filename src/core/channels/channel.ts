import type { IssueKind } from '../issues/issue.ts';

/**
 * A channel is where an account hears of its issues. Each channel has an internal endpoint
 * with one destination: a message is an event of that endpoint. So messages have the queue,
 * the retries, the breaker and the record of attempts that all deliveries have.
 *
 * The internal endpoints belong to one internal account, which nobody signs in to and no
 * list shows.
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
  /** The account that hears. */
  userId: string;
  type: ChannelType;
  /** The URL of a `webhook`, that of `slack` masked (`maskedUrl`), or the address of an `email`. */
  target: string;
  /** Only issues of these kinds; null for all. */
  kinds: readonly IssueKind[] | null;
  /** It gets messages of issues at endpoints with these ids only; null for all. */
  endpointIds: readonly string[] | null;
  /** When the address was confirmed; null for an `email` that waits for it. Others need none. */
  confirmedAt: number | null;
  /** SHA-256 of the token in the confirmation's link; null where nothing is to be confirmed. */
  confirmHash: Uint8Array | null;
  /** When the last confirmation was sent. */
  confirmSentAt: number | null;
  endpointKey: number;
  /** Public token of the internal endpoint: messages are captured there. */
  publicToken: string;
  destinationKey: number;
  /** Id of the internal destination. Its secret is sealed for it. */
  destinationId: string;
  createdAt: number;
}

/** A message that waits to be captured at its channel's endpoint. */
export interface ChannelMessage {
  /** Also its idempotency key: captured twice, it is delivered once. */
  id: string;
  channelKey: number;
  /** The channel's, when the message was written. An email gets another one with each address. */
  publicToken: string;
  contentType: string;
  body: string;
  createdAt: number;
}
