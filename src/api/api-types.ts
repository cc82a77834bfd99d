import type { AuditActor, AuditChanges, AuditTarget } from '../core/audit.ts';
import type { AttemptError, EventStatus, ShownState, TokenScope, Trigger } from '../core/model.ts';
import type { DestinationSettings } from '../core/settings/destination-settings.ts';

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
}

export interface Destination extends Omit<DestinationSettings, 'filter'> {
  id: string;
  url: string;
  /** Masked. Absent without a secret. */
  secret?: string;
  /** A rule in text, or as JSON: as it was written. */
  filter: unknown;
  created_at: string;
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
  attempts: number;
}

export interface Delivery {
  id: string;
  destination_id: string;
  destination_url: string;
  trigger: Trigger;
  state: ShownState;
  attempts: number;
  next_attempt_at: string | null;
}

/** An event without its body. */
export interface EventHead extends EventSummary {
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
  destination_id: string;
  destination_url: string;
}

/** An attempt in a stream. */
export interface StreamedAttempt extends Attempt {
  event_id: string;
  endpoint_id: string;
  event_status: EventStatus;
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
