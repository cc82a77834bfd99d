import type { AuditActor, AuditChanges, AuditTarget } from '../core/audit.ts';
import type { HealthState } from '../core/flow/health.ts';
import type { WaitReason } from '../core/flow/waits-for.ts';
import type { ChannelType } from '../core/issues/channel.ts';
import type { IssueKind } from '../core/issues/issue.ts';
import type { IssueView } from '../core/issues/issue-view.ts';
import type {
  AttemptError,
  DeliveryError,
  EventStatus,
  ReplayJobState,
  ShownState,
  TokenScope,
  Trigger,
} from '../core/model.ts';
import type { CustomScheme as StoredScheme } from '../core/proof/source.ts';
import type { SourceHintCode } from '../core/proof/source-hints.ts';
import type { Verification } from '../core/proof/verification.ts';
import type { DestinationSettings } from '../core/settings/destination-settings.ts';
import type { GiveUpOn } from '../core/settings/retry-schema.ts';

/**
 * Answers of the API, for its clients: the command line and the dashboard.
 * `api/views.ts` builds them. Times are ISO 8601, in UTC.
 */

export interface Endpoint {
  id: string;
  name: string;
  public_token: string;
  is_active: boolean;
  created_at: string;
  capture_url: string;
  /** Answer to senders; null for the server's default answer. */
  response: { status: number; content_type: string; body: string } | null;
  /** How long events are kept, a duration; null for as long as the server keeps them. */
  retention: string | null;
  /** Longest time without an event before its silence is an issue, a duration; null for any. */
  expect_every: string | null;
  /** Who sends to it, and how requests prove it; null where nothing is verified. */
  source: Source | null;
  /** How repeated requests are recognised; null where all are delivered. */
  dedupe: { by: 'provider' | readonly string[] } | null;
  /** The provider that recent events look like. */
  guessed: string | null;
}

export interface Source {
  provider: string;
  /** Masked. */
  secrets: string[];
  /** Whether requests that fail are refused. */
  enforce: boolean;
  /** As registered at the provider; null for the capture URL. */
  url: string | null;
  /** Of `token`: the place of the token. */
  in?: string;
  /** Of `custom`. */
  scheme?: CustomScheme;
}

/** The tolerance is a duration. */
export interface CustomScheme extends Omit<StoredScheme, 'toleranceMs'> {
  tolerance: string;
}

/** A sender that an endpoint's source may name. */
export interface Provider {
  name: string;
  title: string;
  /** Whether a source may name it. */
  verifies: boolean;
  /** Whether deliveries can be signed as it signs. */
  signs: boolean;
  /** Members of a source that it takes. */
  fields: readonly string[];
  /** What it repeats when it sends a delivery again; null where it tells nothing. */
  dedupes_by: readonly string[] | null;
  /** Whether its check of the URL is answered. */
  handshake: boolean;
}

/** How the newest events would fare under a source. */
export interface SourceCheck {
  checked: number;
  verified: number;
  /** The number of events by reason. */
  failed: Record<string, number>;
  /** Events that were not checked: edited copies, unsigned checks of the URL, and bodies that are too large. */
  skipped: number;
  /** Whether time or bytes ran out before the newest `last` events were checked. */
  ended_early: boolean;
  /** What is wrong with the source or on the way to it. */
  hints: SourceHint[];
}

export interface SourceHint {
  code: SourceHintCode;
  message: string;
  /** Which of the secrets, from 1; null for a hint of none in particular. */
  secret: number | null;
  /** The number of events that tell it. */
  events: number;
}

/** A request that an enforced source refused. */
export interface RejectedRequest {
  id: string;
  method: string;
  received_at: string;
  path: string;
  content_type: string | null;
  /** Size of the body, bytes. */
  size: number;
  provider: string | null;
  event_type: string | null;
  source_ip: string;
  verification: Verification;
}

/** Why a request isn't verified, in words. */
export interface VerificationFailure {
  message: string;
  hint: string;
}

/** The same without its body. */
export interface RejectedHead extends RejectedRequest {
  verification_failure: VerificationFailure | null;
  query: string;
  raw_headers: [name: string, value: string][];
  /** Encoding of `body`. */
  body_encoding: EventHead['body_encoding'];
}

export interface Destination
  extends Omit<DestinationSettings, 'filter' | 'timeout' | 'retry' | 'hold'> {
  id: string;
  url: string;
  /** Masked. Absent without a secret. */
  secret?: string;
  /** Until then the secret before a rotation signs too. Absent without one. */
  previous_expires_at?: string;
  /** A rule in text, or as JSON: as it was written. */
  filter: unknown;
  /** Masked values by name; null without headers. */
  headers: Record<string, string> | null;
  /** A duration; null for the server's. */
  timeout: string | null;
  retry: RetryPolicy | null;
  /** A duration; null for ever. */
  hold: string | null;
  created_at: string;
  health: DestinationHealth;
  waiting: { count: number; at_least: boolean; oldest_at: string | null };
}

export interface DestinationHealth {
  state: HealthState;
  since: string | null;
  consecutive_failures: number;
  next_probe_at: string | null;
}

/** Delays are durations. A schedule makes one attempt more than it has entries. */
export type RetryPolicy = {
  /** Statuses at which a delivery dies at once. */
  give_up_on?: GiveUpOn | undefined;
} & ({ attempts: number; base: string; factor: number; max: string } | { schedule: string[] });

/** The new secret of a destination. */
export interface SecretRotation {
  /** Shown once, where the server made it. */
  secret?: string;
  /** Until then the previous secret signs too; null where none does. */
  previous_expires_at: string | null;
}

/** A version of a destination's rule. */
export interface RuleVersion {
  version: number;
  /** As it was written; null: every event passes. */
  filter: unknown;
  transform: null;
  changed_at: string;
  /** The email of the account, or the name of its API token. */
  changed_by: string | null;
}

/** What a rule says of an event. */
export type Outcome = 'matched' | 'dropped';

/** A rule tried on past events. */
export interface RuleTrial {
  tried: number;
  matched: number;
  dropped: number;
  /** Events with a value that an operator of the rule can't take. They count above too. */
  failed: number;
  /** Events whose outcome differs from the present rule's, newest first. */
  changed: { event_id: string; before: Outcome; after: Outcome }[];
  /** The number of such events; `changed` holds at most 1000. */
  changed_total: number;
  samples: RuleTrialSample[];
}

export interface RuleTrialSample {
  event_id: string;
  output: Outcome;
  /** The value that an operator can't take. */
  error?: string;
  logs: string[];
  diff: null;
}

/** An event in lists (with `view=summary`) and streams. */
export interface EventSummary {
  id: string;
  status: EventStatus;
  method: string;
  received_at: string;
  endpoint_id: string;
  path: string;
  content_type: string | null;
  /** Size of the body, bytes. */
  size: number;
  provider: string | null;
  event_type: string | null;
  source_ip: string;
  /** Attempts made since the latest replay to all destinations. */
  attempts: number;
  /** Id of the event that this is an edited copy of. */
  edited_from: string | null;
  /** What the endpoint's source says of the sender. */
  verification: Verification;
  /** Id of the event that this repeats; null for any other one. */
  duplicate_of: string | null;
  /** Whether a duplicate's body differs from that event's; null for any other event. */
  duplicate_conflict: boolean | null;
}

/** Headers that prove a verified event to a receiver with its provider's library. */
export interface SignedHeaders {
  provider: string;
  /** Values by name, as the provider spells it. They replace the event's own. */
  headers: Record<string, string>;
}

export interface Delivery {
  id: string;
  /** Null for a one-off URL. */
  destination_id: string | null;
  destination_url: string;
  trigger: Trigger;
  state: ShownState;
  attempts: number;
  next_attempt_at: string | null;
  waits_for: WaitReason | null;
}

/** A delivery as a thing of its own. */
export interface ListedDelivery {
  id: string;
  event_id: string;
  /** Null for a one-off URL. */
  destination_id: string | null;
  /** Where the next attempt goes. */
  destination_url: string;
  state: ShownState;
  attempts: number;
  /** Why its last attempt failed, or why it died without one. */
  error: DeliveryError | null;
  created_at: string;
  next_attempt_at: string | null;
  waits_for: WaitReason | null;
}

/** An event without its body. */
export interface EventHead extends EventSummary {
  /** Why the verification failed; null for an event that didn't fail. */
  verification_failure: VerificationFailure | null;
  query: string;
  raw_headers: [name: string, value: string][];
  deliveries: Delivery[];
  /** Encoding of `body`. */
  body_encoding: 'json' | 'text' | 'base64' | 'none';
}

export interface Attempt {
  id: string;
  /** Number within its delivery, from 1. */
  attempt: number;
  /** Whether an open breaker probed the destination with it. */
  probe: boolean;
  /** Version of the destination's rule. */
  rule_version: number | null;
  /** As sent, the first 16 KiB. Secret values are masked. */
  request_headers: [name: string, value: string][] | null;
  response_code: number | null;
  /** In order, with case and duplicates. */
  response_headers: [name: string, value: string][] | null;
  response_body: string | null;
  response_truncated: boolean;
  attempted_at: string;
  duration_ms: number;
  error: AttemptError | null;
  next_attempt_at: string | null;
  trigger: Trigger;
  delivery_id: string;
  /** Null for a one-off URL. */
  destination_id: string | null;
  destination_url: string;
  /** The destination's health since this attempt, where it changed. */
  destination_health: HealthState | null;
}

/** The answer to a replay of one event. */
export interface Replayed {
  queued: boolean;
  event_id: string;
  /** Deliveries that it made. */
  deliveries: number;
}

/** The answer to a bulk replay. */
export interface BulkReplay {
  /** Events that match now. */
  queued: number;
  job_id: string;
}

/** A bulk replay in the background. */
export interface ReplayJob {
  id: string;
  /** `running`: it queues events, or some of its deliveries are open. */
  state: ReplayJobState;
  /** Events that matched when it started. */
  matching: number;
  /** Deliveries that it has made so far, in any state. */
  queued: number;
  /** Those of them that succeeded. */
  delivered: number;
  dead: number;
  created_at: string;
}

/** An attempt in a stream. */
export interface StreamedAttempt extends Attempt {
  event_id: string;
  endpoint_id: string;
  event_status: EventStatus;
}

/** Something that is wrong: one for one cause at one place. */
export type Issue = IssueView;

/** A type of event that an endpoint has received. */
export interface EventType {
  /** Null for the events that have no type. */
  type: string | null;
  provider: string | null;
  /** The events that it was learned from. */
  count: number;
  first_at: string;
  last_at: string;
}

/** Where the account hears of its issues. */
export interface Channel {
  id: string;
  type: ChannelType;
  /** Of `webhook` and `slack`. */
  url?: string;
  /** Of `email`. */
  to?: string;
  /** Of `webhook`. Masked, but in the answer that makes it. */
  secret?: string;
  /** Only issues of these kinds; null for all. */
  kinds: IssueKind[] | null;
  /** Only issues at these endpoints; null for all. */
  endpoint_ids: string[] | null;
  /** False for an email whose address waits for its confirmation. */
  confirmed: boolean;
  created_at: string;
  /** The newest message; null where none was sent. */
  last_delivery: ChannelDelivery | null;
  health: DestinationHealth;
}

export interface ChannelDelivery {
  id: string;
  state: ShownState;
  /** When the message was queued. */
  at: string;
  attempts: number;
  error: DeliveryError | null;
  next_attempt_at: string | null;
}

export interface ApiToken {
  id: string;
  name: string;
  scopes: TokenScope[];
  /** The only endpoints that the token sees; null for all. */
  endpoint_ids: string[] | null;
  created_at: string;
  last_used_at: string | null;
  expires_at: string | null;
}

/** A change of the account or of one of its things. */
export interface AuditEntry {
  id: string;
  at: string;
  actor: AuditActor;
  /** A stable name, such as `endpoint.update`. */
  action: string;
  target: AuditTarget;
  changes: AuditChanges | null;
}

/** A page of a list. */
export interface Page<T> {
  data: T[];
  page: number;
  limit: number;
  /** The number of items on all pages. */
  total: number;
}
