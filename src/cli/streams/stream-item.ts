import type { StreamedAttempt } from '../../api/deliveries/attempt-answer.ts';
import type { EventSummaryAnswer } from '../../api/events/event-answer.ts';

/**
 * An item of a stream:
 *
 * - `ready`: the first connection is open. It comes once, before everything else.
 * - `event`, `attempt`: each comes exactly once, even after reconnections.
 * - `disconnected`: the connection is lost. Retries follow.
 * - `reconnected`: the connection is open again. Missed events and attempts have come before it.
 * - `reset`: the server has another database. Events in between are unknown.
 */
export type StreamItem =
  | { kind: 'ready' }
  | { kind: 'event'; event: EventSummaryAnswer }
  | { kind: 'attempt'; attempt: StreamedAttempt }
  | { kind: 'disconnected'; reason: string }
  | { kind: 'reconnected'; missedEvents: number; missedAttempts: number; outageMs: number }
  | { kind: 'reset' };
