import type { EventSummaryAnswer } from '../../../api/events/event-answer.ts';
import { isSuccess } from '../../../core/http/is-success.ts';
import type { AttemptError, HeaderPair, Trigger } from '../../../core/model.ts';

/** One sending of an event to a target: after its capture, or on request. */
export interface Forward {
  /** Counts the forwards of this run, from 1. */
  key: number;
  event: EventSummaryAnswer;
  trigger: Trigger;
}

/** The outcome of a forward. */
export interface ForwardOutcome {
  /** Absolute URL; null if no rule matched. */
  target: string | null;
  responseCode: number | null;
  /** Null without a response, as the body. */
  responseHeaders: HeaderPair[] | null;
  responseBody: string | null;
  /** The body went on, or broke off. */
  responseTruncated: boolean;
  durationMs: number;
  /** The reason for no response. */
  error: AttemptError | { code: 'event_not_found'; message: string } | null;
}

/** Whether the target answered with success. */
export function isTaken({ responseCode }: ForwardOutcome): boolean {
  return isSuccess(responseCode);
}

/** A target's short form: `:3000/hooks` for `http://localhost:3000/hooks`. */
export function shortTarget(target: string): string {
  const url = new URL(target);
  const path = url.pathname === '/' ? '' : url.pathname;
  const isHere = url.protocol === 'http:' && url.hostname === 'localhost';
  return (isHere ? `:${url.port || 80}` : url.origin) + path + url.search;
}
