import { isSuccess } from '../../core/http/is-success.ts';
import type { Attempt } from '../../core/model.ts';

const TOO_MANY_REQUESTS = 429;

/** The part of an attempt's outcome that affects the next attempts. */
export interface SlotOutcome {
  timedOut: boolean;
  attempt: Pick<Attempt, 'responseCode' | 'durationMs'>;
}

/**
 * Returns what the concurrency limit learns from an outcome. Returns null for other errors, because
 * their duration says nothing about the destination's work.
 */
export function resultFor({ timedOut, attempt }: SlotOutcome): 'answered' | 'dropped' | null {
  const { responseCode } = attempt;
  if (timedOut || responseCode === TOO_MANY_REQUESTS) return 'dropped';
  return isSuccess(responseCode) ? 'answered' : null;
}
