import { CodedNames, type NameOf } from './coded-names.ts';
import type { HealthState } from './flow/health.ts';
import type { HoldReason, WaitReason } from './flow/waits-for.ts';
import type { UnjudgedReason } from './judging/unjudged.ts';
import type { Source } from './proof/source.ts';
import type { Verification } from './proof/verification.ts';
import type { DestinationSettings } from './settings/destination-settings.ts';
import type { EndpointSettings } from './settings/endpoint-settings.ts';

/**
 * The nouns of hookrelay. Files such as `api/events/event-view.ts` have their form in the API.
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
 * | bulk replay | a job that replays, in the background, all events that match a filter |
 * | one-off URL | a URL that one replay goes to; it is no destination |
 * | round | the deliveries of one capture or one replay; a capture is round 1, the first replay round 2 |
 * | order key | the value by which a destination orders deliveries: one at a time for each value |
 * | source | who sends to an endpoint, and how a request proves it |
 * | verification | the result of checking a request against the endpoint's source |
 * | rejected request | one that an enforced source refused; it is no event |
 * | duplicate | an event with the same key as an earlier event of the endpoint; it isn't delivered |
 * | settle | record an attempt's outcome, and with it the delivery's next state |
 *
 * Times are Unix milliseconds. `key` and `seq` are row numbers of the backend, which never leave
 * the process. `id` is public.
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
 * A delivery starts as `pending`. A 2xx makes it `succeeded`. It is `dead` when it has no attempts
 * left, or at once on a 410 or in a loop. It is `cancelled` when a replay supersedes it, or when
 * its destination is removed with `pending=cancel`. These three states are final.
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
  /** How often the refresh token was rotated. Only the token of the current generation is valid. */
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
  /** Always includes `read`. */
  scopes: readonly TokenScope[];
  /** Ids of the endpoints that the token may see, oldest first. Null for all endpoints. */
  endpointIds: readonly string[] | null;
  createdAt: number;
  lastUsedAt: number | null;
  /** Null for a token that never expires. */
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
  /** The URL. If `sealedUrl` has the real one, this is its `maskedUrl`. */
  url: string;
  /** The sealed URL of a Slack channel. Such a URL is a secret. Null for other destinations. */
  sealedUrl: Uint8Array | null;
  /** The signing secret, sealed by AES-256-GCM (`secrets/keys.ts`). Null if there is none. */
  sealedSecret: Uint8Array | null;
  /** The secret before the last rotation. Until `until`, attempts are signed with both secrets. */
  previousSecret: { sealed: Uint8Array; until: number } | null;
  /** The destination's own headers: JSON `{name: value}`, sealed. Null if there are none. */
  sealedHeaders: Uint8Array | null;
  settings: DestinationSettings;
  /** Starts at 1. Grows with each change of the URL, the secret or a setting. */
  version: number;
  /** Grows with each change of the filter. 0 if the destination never had a filter. */
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
  /** Id of the original event, if this event is an edited copy. Null otherwise. */
  editedFrom: string | null;
  verification: Verification;
  /** Id of the event with the same key, if this event repeats one. Null otherwise. */
  duplicateOf: string | null;
  /** True for a duplicate with another body than the first event. */
  isConflicting: boolean;
  /** Why the body couldn't be judged for a filter or a key. Null if it could. */
  unjudged: UnjudgedReason | null;
  /** Null without an attempt. */
  outcome: EventOutcome | null;
  deliveryCounts: DeliveryCounts;
  /** The first held delivery's destination. Null if no delivery is held. */
  heldBy: HeldBy | null;
}

/** An event's newest delivery to each destination and one-off URL, counted by state. */
export interface DeliveryCounts {
  /** All open ones, also the held ones. */
  pending: number;
  /** Open ones that wait for a `HoldReason`. */
  held: number;
  succeeded: number;
  dead: number;
  filtered: number;
  cancelled: number;
}

/** The destination of a held delivery. */
export interface HeldBy {
  /** Null for a one-off URL. */
  destinationId: string | null;
  /** The destination's name. Without one, its URL. */
  name: string;
  reason: HoldReason;
}

/** What the attempts of all rounds of an event led to. */
export interface EventOutcome {
  /** Code of the first attempt that got an answer. */
  responseCode: number | null;
  /** When the first attempt succeeded, Unix ms. */
  succeededAt: number | null;
  /** How many retries the delivery with the most retries needed. Probes don't count. */
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
  /** Null if the delivery is closed, or if no time is set (`core/flow/waits-for.ts`). */
  nextAttemptAt: number | null;
  waitsFor: WaitReason | null;
  /** Why the event couldn't be judged. Null if it could, or if a filter dropped the delivery. */
  unjudged: UnjudgedReason | null;
}

/** A delivery in a list of deliveries. */
export interface ListedDelivery extends Delivery {
  eventId: string;
  createdAt: number;
  /** Why the last attempt failed, or why there was none before it died. Null without a failure. */
  error: DeliveryError | null;
}

/**
 * Why a delivery failed. `http_status`: the answer's status is the cause. `held_too_long`: an open
 * breaker held the delivery back for longer than the destination's `hold`.
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
  /** Where the attempt went. Old rows lack this, so they show the destination's present URL. */
  destinationUrl: string;
  trigger: Trigger;
  /** 1-indexed within its delivery. */
  number: number;
  /** The attempt was a probe of an open breaker. */
  probe: boolean;
  /** Version of the destination's filter at the time of the attempt. Null in old rows. */
  ruleVersion: number | null;
  /** The headers as sent, up to 16 KiB, with secrets masked. Null if nothing was sent. */
  requestHeaders: HeaderPair[] | null;
  /** The destination's new health. Null if this attempt didn't change it. */
  health: HealthState | null;
  responseCode: number | null;
  /** In the order of the response, with its case and duplicates. Null if there was no response. */
  responseHeaders: HeaderPair[] | null;
  responseBody: string | null;
  responseTruncated: boolean;
  durationMs: number;
  error: AttemptError | null;
  attemptedAt: number;
  /** Time of the delivery's next attempt. Null if this attempt closed the delivery. */
  nextAttemptAt: number | null;
}
