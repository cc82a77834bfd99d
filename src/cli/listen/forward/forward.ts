import type { EventSummaryAnswer } from '../../../api/events/event-answer.ts';
import { isSuccess } from '../../../core/http/is-success.ts';
import type { AttemptError, HeaderPair, Trigger } from '../../../core/model.ts';

/** An event that is sent to a target once, after its capture or as a replay. */
export interface Forward {
  key: number;
  event: EventSummaryAnswer;
  trigger: Trigger;
}

export interface ForwardOutcome {
  /** Null if no route matched. */
  target: string | null;
  responseCode: number | null;
  /** Null without a response. The body is then null too. */
  responseHeaders: HeaderPair[] | null;
  responseBody: string | null;
  /** Whether the body was longer than the kept part, or broke off. */
  responseTruncated: boolean;
  durationMs: number;
  error: AttemptError | { code: 'event_not_found'; message: string } | null;
}

export function isTaken({ responseCode }: ForwardOutcome): boolean {
  return isSuccess(responseCode);
}

/** Returns a text such as `:3000/hooks` for `http://localhost:3000/hooks`. */
export function shortTarget(target: string): string {
  const url = new URL(target);
  const path = url.pathname === '/' ? '' : url.pathname;
  const isHere = url.protocol === 'http:' && url.hostname === 'localhost';
  return (isHere ? `:${url.port || 80}` : url.origin) + path + url.search;
}
