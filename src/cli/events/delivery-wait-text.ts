import type { WaitReason } from '../../core/flow/waits-for.ts';
import { timeText } from '../terminal/value-text.ts';

interface Waiting {
  state: string;
  waits_for: WaitReason | null;
  next_attempt_at: string | null;
}

/**
 * Returns a text such as `paused`, `rate in 5 s` or `you (unjudged)`; empty for a closed delivery.
 */
export function waitText({ state, waits_for, next_attempt_at }: Waiting): string {
  if (state !== 'pending') return '';
  if (waits_for === null) return 'a slot';
  if (waits_for === 'unjudged') return 'you (unjudged)';
  const isTimed = next_attempt_at !== null && Date.parse(next_attempt_at) > Date.now();
  return isTimed ? `${waits_for} ${timeText(next_attempt_at)}` : waits_for;
}
