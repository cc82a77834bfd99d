import { CodedNames, type NameOf } from './coded-names.ts';
import type { HealthState } from './flow/health.ts';
import type { WaitReason } from './flow/waits-for.ts';
import type { UnjudgedReason } from './judging/unjudged.ts';
import type { Source } from './proof/source.ts';
import type { Verification } from './proof/verification.ts';
import type { DestinationSettings } from './settings/destination-settings.ts';
import type { EndpointSettings } from './settings/endpoint-settings.ts';

/**
 * The nouns of hookrelay in its stores and layers. Their form in the API is in
 * `api/events/event-view.ts` and its like.
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
 * A delivery starts as `pending` and ends in one of the other states: `succeeded` by
 * a 2xx, `dead` when its attempts are exhausted (at once on 410 or in a loop),
 * `cancelled` when a replay supersedes it or its destination is removed with
 * `pending=cancel`. The end states are final.
 */
export const DELIVERY_STATE = new CodedNames({ pending: 0, succeeded: 1, dead: 2, cancelled: 3 });
export type DeliveryState = NameOf<typeof DELIVERY_STATE>;
/** Also of deliveries that a filter dropped: they have no row of their own. */
export const SHOWN_STATES = [...DELIVERY_STATE.names, 'filtered'] as const;
export type ShownState = (typeof SHOWN_STATES)[number];

export const TRIGGER = new CodedNames({ capture: 0, replay: 1 });
export type Trigger = NameOf<typeof TRIGGER>;

/** `running`: the job queues events, or some of its deliveries are open. */
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
  /** Where `sealedUrl` has it: `maskedUrl`. */
  url: string;
  /** The URL, sealed, where it is a secret: that of a Slack channel. Null for any other. */
  sealedUrl: Uint8Array | null;
  /** The signing secret, sealed by AES-256-GCM (`secrets/keys.ts`); null without one. */
  sealedSecret: Uint8Array | null;
  /** The secret before a rotation, which signs too until its end. */
  previousSecret: { sealed: Uint8Array; until: number } | null;
  /** Headers of each attempt, as JSON `{name: value}`, sealed; null without any. */
  sealedHeaders: Uint8Array | null;
  settings: DestinationSettings;
  /** Starts at 1 and grows with each change of the URL, the secret or a setting. */
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
  /** Attempts made since the latest replay to all destinations. */
  attempts: number;
  /** Id of the event that this is an edited copy of. */
  editedFrom: string | null;
  verification: Verification;
  /** The event whose key it repeats; null for a first one. */
  duplicateOf: string | null;
  /** Whether a duplicate's body differs from that of the first. */
  isConflicting: boolean;
  /** Why a filter or a key couldn't be judged by its body; null where all were. */
  unjudged: UnjudgedReason | null;
  /** Null without an attempt. */
  outcome: EventOutcome | null;
}

/** What came of an event so far, by its attempts of all rounds. */
export interface EventOutcome {
  /** Code of the first attempt that got an answer. */
  responseCode: number | null;
  /** When the first attempt succeeded, Unix ms. */
  succeededAt: number | null;
  /** Attempts beyond the first of the delivery that took most. Probes don't count. */
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
  /** Null once the delivery is closed, and where no time is set: see `core/flow/waits-for.ts`. */
  nextAttemptAt: number | null;
  waitsFor: WaitReason | null;
  /** That of its event; null for one that a filter dropped. */
  unjudged: UnjudgedReason | null;
}

/** A delivery as a thing of its own, in lists. */
export interface ListedDelivery extends Delivery {
  eventId: string;
  createdAt: number;
  /** Why its last attempt failed, or why it died without one; null without a failure. */
  error: DeliveryError | null;
}

/**
 * `http_status`: the status of the answer is the cause. `held_too_long`: an open breaker
 * held the delivery back for longer than its destination's `hold`.
 */
export interface DeliveryError {
  code: AttemptErrorCode | 'http_status' | EndedWithoutAttempt;
  message: string;
}

/** The cause of an attempt without a 2xx, unless the status itself is the cause. */
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
  /** Where it went; of an attempt from before that was stored, where the destination is now. */
  destinationUrl: string;
  trigger: Trigger;
  /** 1-indexed within its delivery. */
  number: number;
  /** Whether an open breaker probed the destination with it. */
  probe: boolean;
  /** Version of the destination's rule; null for an attempt from before that was stored. */
  ruleVersion: number | null;
  /** As sent, the first 16 KiB; secret values are masked. Null where nothing was sent. */
  requestHeaders: HeaderPair[] | null;
  /** The destination's health since this attempt, where it changed. */
  health: HealthState | null;
  responseCode: number | null;
  /** In order, with case and duplicates; null without a response. */
  responseHeaders: HeaderPair[] | null;
  responseBody: string | null;
  responseTruncated: boolean;
  durationMs: number;
  error: AttemptError | null;
  attemptedAt: number;
  /** Time of the delivery's next attempt; null if this attempt closed it. */
  nextAttemptAt: number | null;
}
