import type { EventStatus } from '../../core/model.ts';

/** An event as the API's summaries show it. */
export interface StreamedEvent {
  id: string;
  endpoint_id: string;
  status: EventStatus;
  method: string;
  received_at: string;
  path: string;
  content_type: string | null;
  size: number;
  provider: string | null;
  event_type: string | null;
  source_ip: string;
  attempts: number;
}

/** An attempt as the stream shows it. */
export interface StreamedAttempt {
  id: string;
  event_id: string;
  endpoint_id: string;
  event_status: EventStatus;
  attempt: number;
  response_code: number | null;
  response_body: string | null;
  attempted_at: string;
  duration_ms: number;
  error: { code: string; message: string } | null;
  next_attempt_at: string | null;
  trigger: 'capture' | 'replay';
  delivery_id: string;
  destination_id: string;
  destination_url: string;
}

/**
 * - `ready`: the first connection stands. Once, and first.
 * - `event`, `attempt`: each exactly once, also over reconnections.
 * - `disconnected`: the connection is lost and another is being tried for.
 * - `reconnected`: it stands again, and what was missed meanwhile has been
 *   given: so many events and attempts.
 * - `reset`: it stands again, but on another database: what came in between is
 *   unknown.
 */
export type StreamItem =
  | { kind: 'ready' }
  | { kind: 'event'; event: StreamedEvent }
  | { kind: 'attempt'; attempt: StreamedAttempt }
  | { kind: 'disconnected'; reason: string }
  | { kind: 'reconnected'; missedEvents: number; missedAttempts: number; outageMs: number }
  | { kind: 'reset' };
