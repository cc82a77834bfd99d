import type { PaceTerms } from './slice-pace.ts';

/**
 * The pace of deletions, in events. Under a flood, one slice at least every `mostPauseMs`, with
 * `least` events at least.
 */
export const DELETION_TERMS: PaceTerms = {
  least: 10,
  mostBeside: 200,
  mostAlone: 1000,
  pauseTimes: 10,
  leastPauseMs: 5,
  mostPauseMs: 100,
};
