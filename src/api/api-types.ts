import type { AttemptError, DeliveryState, EventStatus, Trigger } from '../core/model.ts';
import type { DestinationSettings } from '../core/settings/destination-settings.ts';

/**
 * What the API answers, as its clients read it: the command line and the page.
 * `api/views.ts` makes it. Times are ISO 8601, in UTC.
 */

export interface Endpoint {
  id: string;
  name: string;
  public_token: string;
  is_active: boolean;
  created_at: string;
  capture_url: string;
  /** What senders get; null: the server's own answer. */
  response: { status: number; content_type: string; body: string } | null;
}

export interface Destination extends DestinationSettings {
  id: string;
  url: string;
  /** Masked; only where there is one. */
  secret?: string;
  created_at: string;
}

/** An event as lists (with `view=summary`) and streams show it. */
export interface EventSummary {
  id: string;
  status: EventStatus;
  method: string;
  received_at: string;
  endpoint_id: string;
  path: string;
  content_type: string | null;
  /** Of its body, bytes. */
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
  state: DeliveryState;
  attempts: number;
  next_attempt_at: string | null;
}

/** All of an event but its body. */
export interface EventHead extends EventSummary {
  query: string;
  raw_headers: [name: string, value: string][];
  deliveries: Delivery[];
  /** How `body` is to be read. */
  body_encoding: 'json' | 'text' | 'base64' | 'none';
}

export interface Attempt {
  id: string;
  /** Counted from 1, within its delivery. */
  attempt: number;
  response_code: number | null;
  /** As they came, in order, with case and duplicates. */
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

/** An attempt as the stream tells of it. */
export interface StreamedAttempt extends Attempt {
  event_id: string;
  endpoint_id: string;
  event_status: EventStatus;
}

export interface ApiToken {
  id: string;
  name: string;
  created_at: string;
  last_used_at: string | null;
}
