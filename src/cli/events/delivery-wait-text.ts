import type { WaitReason } from '../../core/flow/waits-for.ts';
import { timeText } from '../terminal/value-text.ts';

interface Waiting {
  state: string;
  waits_for: WaitReason | null;
  next_attempt_at: string | null;
}

/**
 * Returns what an open delivery waits for, and until when: `paused`, `breaker`, `rate in 5 s`,
 * `retry in 3 min`, `you (unjudged)`. A due delivery has `a slot`, whether it waits for one or has
 * one. Returns empty text if the delivery isn't open.
 */
export function waitText({ state, waits_for, next_attempt_at }: Waiting): string {
  if (state !== 'pending') return '';
  if (waits_for === null) return 'a slot';
  if (waits_for === 'unjudged') return 'you (unjudged)';
  const isTimed = next_attempt_at !== null && Date.parse(next_attempt_at) > Date.now();
  return isTimed ? `${waits_for} ${timeText(next_attempt_at)}` : waits_for;
}
