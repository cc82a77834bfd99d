import type { StreamedAttempt } from '../../api/deliveries/attempt-answer.ts';
import type { EventSummaryAnswer } from '../../api/events/event-answer.ts';
import { formatDuration } from '../../core/text/duration.ts';

/** Returns the event's type. Without a type, returns the path or the provider. */
export function whatText({ provider, event_type, path }: EventSummaryAnswer): string {
  if (event_type !== null) return `${provider ?? ''} ${event_type}`.trim();
  return path === '' ? (provider ?? '/') : path;
}

/** Returns the row with the result of an attempt. */
export function withAttempt(row: EventSummaryAnswer, news: StreamedAttempt): EventSummaryAnswer {
  const { event_status, attempt, response_code, probe } = news;
  const isSuccess = news.error === null && response_code !== null && response_code < 300;
  const endedAt = Date.parse(news.attempted_at) + news.duration_ms;
  return {
    ...row,
    status: event_status,
    attempts: Math.max(row.attempts, attempt),
    response_code: row.response_code ?? response_code,
    latency_ms: row.latency_ms ?? (isSuccess ? endedAt - Date.parse(row.received_at) : null),
    ...deliveriesAfter(row, news),
    retries: probe ? row.retries : Math.max(row.retries, attempt - 1),
  };
}

/** Returns the counts after an attempt, which moves one open delivery at most. */
function deliveriesAfter(
  { delivery_counts: counts, held_by }: EventSummaryAnswer,
  { event_status, response_code, error, next_attempt_at }: StreamedAttempt,
): Pick<EventSummaryAnswer, 'delivery_counts' | 'held_by'> {
  const isSuccess = error === null && response_code !== null && response_code < 300;
  const isOver = event_status === 'delivered' || event_status === 'dead_letter';
  if (counts.pending === 0 || (next_attempt_at !== null && !isOver)) {
    return { delivery_counts: counts, held_by };
  }
  const pending = isOver ? 0 : counts.pending - 1;
  const held = Math.min(counts.held, pending);
  const ended = isSuccess ? { succeeded: counts.succeeded + 1 } : { dead: counts.dead + 1 };
  return {
    delivery_counts: { ...counts, pending, held, ...ended },
    held_by: held === 0 ? null : held_by,
  };
}

/** Returns a latency for a column: `85 ms`, `1.2 s`, `3 min`. */
export function latencyText(ms: number): string {
  return formatDuration(Math.max(0, ms));
}

/** Returns the look of a status code. */
export function codeClass(code: number): 'good' | 'warn' | 'bad' {
  if (code < 300) return 'good';
  return code < 500 ? 'warn' : 'bad';
}
