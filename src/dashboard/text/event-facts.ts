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
    retries: probe ? row.retries : Math.max(row.retries, attempt - 1),
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
