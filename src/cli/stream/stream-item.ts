import type { EventSummary, StreamedAttempt } from '../../api/api-types.ts';

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
  | { kind: 'event'; event: EventSummary }
  | { kind: 'attempt'; attempt: StreamedAttempt }
  | { kind: 'disconnected'; reason: string }
  | { kind: 'reconnected'; missedEvents: number; missedAttempts: number; outageMs: number }
  | { kind: 'reset' };
