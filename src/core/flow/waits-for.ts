import type { Flow } from './flow.ts';
import type { ControlSettings } from './permits.ts';
import { rateUse } from './rate.ts';

export const WAIT_REASONS = [
  'paused',
  'unjudged',
  'breaker',
  'transform',
  'order',
  'rate',
  'retry',
] as const;
/** What an open delivery waits for. */
export type WaitReason = (typeof WAIT_REASONS)[number];

/** Where an open delivery is in its destination's queue. */
export interface QueuePlace {
  nextAttemptAt: number;
  /** An earlier delivery of the same order key is open. */
  isBehind: boolean;
  /** It waits for a person, because its event couldn't be judged. */
  isUnjudged: boolean;
}

/**
 * What a delivery waits for: the first reason that applies, in the order of `WAIT_REASONS`; null
 * when the delivery is due or under way.
 */
export function waitsFor(
  { state, rate }: ControlSettings,
  flow: Flow,
  { nextAttemptAt, isBehind, isUnjudged }: QueuePlace,
  now: number,
): WaitReason | null {
  if (state !== 'active') return 'paused';
  if (isUnjudged) return 'unjudged';
  if (flow.breaker) return 'breaker';
  if (isBehind) return 'order';
  if (flow.heldUntil !== null && flow.heldUntil > now) return 'rate';
  if (nextAttemptAt > now) return 'retry';
  return rate !== null && rateUse(rate, flow.starts, now).free === 0 ? 'rate' : null;
}

const UNTIMED: ReadonlySet<WaitReason> = new Set(['paused', 'unjudged', 'breaker', 'order']);

/** The next attempt's time as people see it; null where a person or a probe decides. */
export function shownNextAttempt(reason: WaitReason | null, nextAttemptAt: number): number | null {
  return reason !== null && UNTIMED.has(reason) ? null : nextAttemptAt;
}
