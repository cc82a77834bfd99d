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

/** The reasons that end by a person, a probe, or an earlier delivery: no time is known. */
export const HOLD_REASONS = [
  'paused',
  'unjudged',
  'breaker',
  'transform',
  'order',
] as const satisfies readonly WaitReason[];
export type HoldReason = (typeof HOLD_REASONS)[number];

/** The place of an open delivery in its destination's queue. */
export interface QueuePlace {
  nextAttemptAt: number;
  /** True if an earlier delivery with the same order key is open. */
  isBehind: boolean;
  /** True if the event couldn't be judged. The delivery then waits for a person. */
  isUnjudged: boolean;
}

/**
 * Returns the first reason in `WAIT_REASONS` that applies to a delivery. Null if the delivery is
 * due or under way.
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

const UNTIMED: ReadonlySet<WaitReason> = new Set(HOLD_REASONS);

/** Returns the shown time of the next attempt. Null if a person or a probe decides the time. */
export function shownNextAttempt(reason: WaitReason | null, nextAttemptAt: number): number | null {
  return reason !== null && UNTIMED.has(reason) ? null : nextAttemptAt;
}
