import { spellDuration } from '../core/text/duration.ts';

export function durationOrNull(ms: number | null): string | null {
  return ms === null ? null : spellDuration(ms);
}
