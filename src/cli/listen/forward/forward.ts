import type { EventSummary } from '../../../api/api-types.ts';
import type { AttemptError, Trigger } from '../../../core/model.ts';
import { isSuccess } from '../../../core/success.ts';

/** One sending of an event to a target: as it came, or again because somebody asked. */
export interface Forward {
  /** Counts the forwards of this run, from 1. */
  key: number;
  event: EventSummary;
  trigger: Trigger;
}

/** What became of it. */
export interface ForwardOutcome {
  /** Where it went; null when no rule had a place for it. */
  target: string | null;
  responseCode: number | null;
  responseBody: string | null;
  durationMs: number;
  /** Why no response came. */
  error: AttemptError | { code: 'event_not_found'; message: string } | null;
}

/** Whether the target took it. */
export function isTaken({ responseCode }: ForwardOutcome): boolean {
  return isSuccess(responseCode);
}

/** A target as a line shows it: without what goes without saying. */
export function shortTarget(target: string): string {
  const url = new URL(target);
  const path = url.pathname === '/' ? '' : url.pathname;
  const isHere = url.protocol === 'http:' && url.hostname === 'localhost';
  return (isHere ? `:${url.port || 80}` : url.origin) + path + url.search;
}
