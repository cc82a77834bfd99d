import { CodedNames, type NameOf } from './coded-names.ts';
import type { HealthState } from './flow/health.ts';
import type { WaitReason } from './flow/waits-for.ts';
import type { UnjudgedReason } from './judging/unjudged.ts';
import type { Source } from './proof/source.ts';
import type { Verification } from './proof/verification.ts';
import type { DestinationSettings } from './settings/destination-settings.ts';
import type { EndpointSettings } from './settings/endpoint-settings.ts';

/**
 * The nouns of hookrelay. `api/events/event-view.ts` and similar files have their form in the API.
 *
 * | word | meaning |
 * |---|---|
 * | endpoint | an inbound capture address of an account, `{base}/in/{public_token}` |
 * | event | one captured HTTP request |
 * | destination | an outbound URL that an endpoint's events are delivered to |
 * | delivery | one event to one destination, by capture or by one replay |
 * | attempt | one HTTP request made for a delivery |
 * | retry | automatic further attempt of a delivery |
 * | replay | a new set of deliveries for an event, on a person's request |
 * | bulk replay | a replay, in the background, of all events that match a filter: a job |
 * | one-off URL | a URL that one replay goes to; it is no destination |
 * | round | the deliveries of one capture or replay: capture is round 1, each replay the next |
 * | order key | the value by which a destination orders deliveries, one at a time for each |
 * | source | who sends to an endpoint, and how a request proves it |
 * | verification | what the source says of a request |
 * | rejected request | one that an enforced source refused; it is no event |
 * | duplicate | an event whose key an earlier event of the endpoint has; it isn't delivered |
 * | settle | record an attempt's outcome and move its delivery on |
 *
 * Times are Unix milliseconds. `key` and `seq` are the backend's row numbers, which
 * never leave the process. `id` is public.
 */

export const PLANS = ['free', 'starter', 'pro'] as const;
export type Plan = (typeof PLANS)[number];

export const EVENT_STATUS = new CodedNames({
  received: 0,
  delivered: 1,
  failed: 2,
  dead_letter: 3,
});
export type EventStatus = NameOf<typeof EVENT_STATUS>;

/**
 * A delivery starts as `pending`. A 2xx makes it `succeeded`. It is `dead` when its attempts are
 * exhausted (at once on 410 or in a loop), and `cancelled` when a replay supersedes it or its
 * destination is removed with `pending=cancel`. These three states are final.
 */
export const DELIVERY_STATE = new CodedNames({ pending: 0, succeeded: 1, dead: 2, cancelled: 3 });
export type DeliveryState = NameOf<typeof DELIVERY_STATE>;
/** `filtered`: a filter dropped the delivery, so it has no row. */
export const SHOWN_STATES = [...DELIVERY_STATE.names, 'filtered'] as const;
export type ShownState = (typeof SHOWN_STATES)[number];

export const TRIGGER = new CodedNames({ capture: 0, replay: 1 });
export type Trigger = NameOf<typeof TRIGGER>;

/** `running`: the job still queues events, or has open deliveries. */
export const REPLAY_JOB_STATES = ['running', 'done', 'cancelled'] as const;
export type ReplayJobState = (typeof REPLAY_JOB_STATES)[number];

export interface User {
  id: string;
  email: string;
  plan: Plan;
}

/** A signed-in client: one family of refresh tokens. */
export interface Session {
  id: string;
  userId: string;
  /** Number of rotations. Only the token of the current generation is live. */
  generation: number;
  createdAt: number;
  lastUsedAt: number;
  address: string | null;
  userAgent: string | null;
}

export const TOKEN_SCOPES = ['read', 'write'] as const;
export type TokenScope = (typeof TOKEN_SCOPES)[number];

export interface ApiToken {
  id: string;
  name: string;
  /** `read` is always among them. */
  scopes: readonly TokenScope[];
  /** Ids of the only endpoints that the token sees, oldest first; null for all. */
  endpointIds: readonly string[] | null;
  createdAt: number;
  lastUsedAt: number | null;
  /** Null for a token without an end. */
  expiresAt: number | null;
}

export interface Endpoint {
  key: number;
  id: string;
  userId: string;
  publicToken: string;
  settings: EndpointSettings;
  /** Null for an endpoint that doesn't verify its senders. */
  source: Source | null;
  createdAt: number;
}

export interface Destination {
  key: number;
  id: string;
  /** The `maskedUrl` where `sealedUrl` has the real one. */
  url: string;
  /** The sealed URL of a Slack channel, which is a secret; null for other destinations. */
  sealedUrl: Uint8Array | null;
  /** The signing secret, sealed by AES-256-GCM (`secrets/keys.ts`); null without one. */
  sealedSecret: Uint8Array | null;
  /** The secret before a rotation. It also signs until `until`. */
  previousSecret: { sealed: Uint8Array; until: number } | null;
  /** The destination's own headers, as sealed JSON `{name: value}`; null without any. */
  sealedHeaders: Uint8Array | null;
  settings: DestinationSettings;
  /** Starts at 1. Grows with each change of the URL, the secret or a setting. */
  version: number;
  /** Grows with each change of the filter; 0 for a destination that never had one. */
  ruleVersion: number;
  createdAt: number;
}

/** An event without its headers and body, for lists and live streams. */
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
  /** Attempts since the latest replay to all destinations. */
  attempts: number;
  /** Id of the event that this is an edited copy of. */
  editedFrom: string | null;
  verification: Verification;
  /** The event whose key this one repeats; null where it repeats none. */
  duplicateOf: string | null;
  /** Whether a duplicate's body differs from that of the first. */
  isConflicting: boolean;
  /** Why the body couldn't be judged for a filter or a key; null where it could. */
  unjudged: UnjudgedReason | null;
  /** Null without an attempt. */
  outcome: EventOutcome | null;
}

/** What an event's attempts of all rounds led to. */
export interface EventOutcome {
  /** Code of the first attempt that got an answer. */
  responseCode: number | null;
  /** When the first attempt succeeded, Unix ms. */
  succeededAt: number | null;
  /** Retries of the delivery that needed most. Probes don't count. */
  retries: number;
}

/** A request that an enforced source refused, without its headers and body. */
export type RejectedRequest = Pick<
  EventSummary,
  | 'id'
  | 'method'
  | 'path'
  | 'contentType'
  | 'size'
  | 'provider'
  | 'eventType'
  | 'sourceIp'
  | 'receivedAt'
  | 'verification'
>;

/** A delivery in the detail view of its event. */
export interface Delivery {
  id: string;
  /** Null for a replay to a URL that is no destination. */
  destinationId: string | null;
  destinationUrl: string;
  trigger: Trigger;
  state: ShownState;
  attempts: number;
  /** Null for a closed delivery, and where no time is set (`core/flow/waits-for.ts`). */
  nextAttemptAt: number | null;
  waitsFor: WaitReason | null;
  /** Why its event couldn't be judged; null for a delivery that a filter dropped. */
  unjudged: UnjudgedReason | null;
}

/** A delivery in a list of deliveries. */
export interface ListedDelivery extends Delivery {
  eventId: string;
  createdAt: number;
  /** Why its last attempt failed, or why it died without an attempt; null without a failure. */
  error: DeliveryError | null;
}

/**
 * `http_status`: the answer's status is the cause. `held_too_long`: an open breaker held the
 * delivery back for longer than its destination's `hold`.
 */
export interface DeliveryError {
  code: AttemptErrorCode | 'http_status' | EndedWithoutAttempt;
  message: string;
}

/** Why an attempt got no 2xx, unless the status itself is the cause. */
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
  | 'not_verified'
  | 'loop'
  | 'internal'
  | 'unknown';

/** Why a delivery died without an attempt. */
export type EndedWithoutAttempt = 'held_too_long';

/** A header. The value holds bytes as Latin-1, as in Node. */
export type HeaderPair = [name: string, value: string];

export interface Attempt {
  seq: number;
  id: string;
  eventId: string;
  endpointId: string;
  deliveryId: string;
  /** Null for a replay to a URL that is no destination. */
  destinationId: string | null;
  /** Where the attempt went. Old rows lack it and show the destination's present URL. */
  destinationUrl: string;
  trigger: Trigger;
  /** 1-indexed within its delivery. */
  number: number;
  /** The attempt was a probe of an open breaker. */
  probe: boolean;
  /** Version of the destination's rule; null in old rows. */
  ruleVersion: number | null;
  /** The first 16 KiB as sent, with secrets masked; null where nothing was sent. */
  requestHeaders: HeaderPair[] | null;
  /** The destination's new health, where this attempt changed it. */
  health: HealthState | null;
  responseCode: number | null;
  /** In order, with case and duplicates; null without a response. */
  responseHeaders: HeaderPair[] | null;
  responseBody: string | null;
  responseTruncated: boolean;
  durationMs: number;
  error: AttemptError | null;
  attemptedAt: number;
  /** Time of the delivery's next attempt; null if this attempt closed the delivery. */
  nextAttemptAt: number | null;
}
