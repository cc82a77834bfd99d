import type { DestinationSettings } from './settings/destination-settings.ts';

/**
 * The nouns of hookrelay, as its stores and layers hold them. What the API
 * shows of them is in `api/views.ts`.
 *
 * | word | meaning |
 * |---|---|
 * | endpoint | an inbound capture address of an account, `{base}/in/{public_token}` |
 * | event | one captured HTTP request |
 * | destination | an outbound URL that an endpoint's events are delivered to |
 * | delivery | one event to one destination, asked for once (by capture or by a replay) |
 * | attempt | one HTTP request made for a delivery |
 * | retry | automatic further attempt of a delivery |
 * | replay | a new set of deliveries for an event, asked for by a person |
 * | round | the deliveries asked for at one time: capture is round 1, each replay the next |
 * | settle | record an attempt's outcome and move its delivery on |
 *
 * Times are Unix milliseconds. `key` and `seq` are the backend's own row
 * numbers: they never leave the process, `id` does.
 */

export const PLANS = ['free', 'starter', 'pro'] as const;
export type Plan = (typeof PLANS)[number];

export const EVENT_STATUSES = ['received', 'delivered', 'failed', 'dead_letter'] as const;
export type EventStatus = (typeof EVENT_STATUSES)[number];

/**
 * A delivery is born `pending` and ends as one of the others: `succeeded` by a
 * 2xx, `dead` when its attempts are exhausted (at once on 410 or in a loop),
 * `cancelled` when a replay supersedes it or its destination is removed with
 * `pending=cancel`. Nothing leads back.
 */
export const DELIVERY_STATES = ['pending', 'succeeded', 'dead', 'cancelled'] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

export const TRIGGERS = ['capture', 'replay'] as const;
export type Trigger = (typeof TRIGGERS)[number];

export interface User {
  id: string;
  email: string;
  plan: Plan;
}

/** A signed-in client: one family of refresh tokens. */
export interface Session {
  id: string;
  userId: string;
  /** Counts the rotations; only the token of the current generation is live. */
  generation: number;
  createdAt: number;
  lastUsedAt: number;
  address: string | null;
  userAgent: string | null;
}

export interface ApiToken {
  id: string;
  name: string;
  createdAt: number;
  lastUsedAt: number | null;
}

/** What a capture URL answers instead of hookrelay's own acknowledgement. */
export interface CaptureResponse {
  status: number;
  content_type: string;
  body: string;
}

export interface Endpoint {
  key: number;
  id: string;
  userId: string;
  name: string;
  publicToken: string;
  isActive: boolean;
  response: CaptureResponse | null;
  createdAt: number;
}

export interface Destination {
  key: number;
  id: string;
  url: string;
  /** AES-256-GCM of the signing secret (`secrets/keys.ts`), or null when unsigned. */
  sealedSecret: Uint8Array | null;
  settings: DestinationSettings;
  /** Starts at 1 and grows with each change of the URL, the secret or a setting. */
  version: number;
  createdAt: number;
}

/** An event without its headers and body: what lists and live streams carry. */
export interface EventSummary {
  seq: number;
  id: string;
  endpointId: string;
  status: EventStatus;
  method: string;
  path: string;
  contentType: string | null;
  size: number;
  provider: string | null;
  eventType: string | null;
  sourceIp: string;
  receivedAt: number;
  /** Attempts made in the latest round. */
  attempts: number;
}

/** A delivery as its event's detail view shows it. */
export interface Delivery {
  id: string;
  destinationId: string;
  destinationUrl: string;
  trigger: Trigger;
  state: DeliveryState;
  attempts: number;
  /** Null once the delivery is closed. */
  nextAttemptAt: number | null;
}

/** Why an attempt got no 2xx, when the cause isn't the status itself. */
export interface AttemptError {
  code: AttemptErrorCode;
  message: string;
}

export type AttemptErrorCode =
  | 'dns_error'
  | 'connect_refused'
  | 'connect_error'
  | 'tls_error'
  | 'timeout'
  | 'reset'
  | 'blocked_address'
  | 'invalid_response'
  | 'response_flood'
  | 'invalid_path'
  | 'request_unreadable'
  | 'secret_unreadable'
  | 'loop'
  | 'internal'
  | 'unknown';

/** A value holds bytes as Latin-1, as Node has them. */
export type HeaderPair = [name: string, value: string];

export interface Attempt {
  seq: number;
  id: string;
  eventId: string;
  endpointId: string;
  deliveryId: string;
  destinationId: string;
  /** Where it went; of an attempt from before that was stored, where the destination is now. */
  destinationUrl: string;
  trigger: Trigger;
  /** 1-indexed within its delivery. */
  number: number;
  responseCode: number | null;
  /** As they came, in order, with case and duplicates; null when no response began. */
  responseHeaders: HeaderPair[] | null;
  responseBody: string | null;
  responseTruncated: boolean;
  durationMs: number;
  error: AttemptError | null;
  attemptedAt: number;
  /** When the delivery is tried again, or null when this attempt closed it. */
  nextAttemptAt: number | null;
}
