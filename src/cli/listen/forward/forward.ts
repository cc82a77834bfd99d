import type { EventSummaryAnswer } from '../../../api/events/event-answer.ts';
import { isSuccess } from '../../../core/http/is-success.ts';
import type { AttemptError, HeaderPair, Trigger } from '../../../core/model.ts';

/** An event that is sent to a target once: after its capture, or when a person asks for it. */
export interface Forward {
  /** The number of this forward in the run. The first is 1. */
  key: number;
  event: EventSummaryAnswer;
  trigger: Trigger;
}

/** The outcome of a forward. */
export interface ForwardOutcome {
  /** An absolute URL. Null if no route matched. */
  target: string | null;
  responseCode: number | null;
  /** Null if there was no response. The body is then null too. */
  responseHeaders: HeaderPair[] | null;
  responseBody: string | null;
  /** The body was longer than what was kept, or broke off. */
  responseTruncated: boolean;
  durationMs: number;
  /** Why there was no response. */
  error: AttemptError | { code: 'event_not_found'; message: string } | null;
}

/** Returns whether the target answered with a success status. */
export function isTaken({ responseCode }: ForwardOutcome): boolean {
  return isSuccess(responseCode);
}

/** Returns the short form of a target: `:3000/hooks` for `http://localhost:3000/hooks`. */
export function shortTarget(target: string): string {
  const url = new URL(target);
  const path = url.pathname === '/' ? '' : url.pathname;
  const isHere = url.protocol === 'http:' && url.hostname === 'localhost';
  return (isHere ? `:${url.port || 80}` : url.origin) + path + url.search;
}
