import type { HealthState } from '../../core/flow/health.ts';
import type { AttemptError, EventStatus, Trigger } from '../../core/model.ts';

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

/** An attempt in a stream. */
export interface StreamedAttempt extends Attempt {
  event_id: string;
  endpoint_id: string;
  event_status: EventStatus;
}
