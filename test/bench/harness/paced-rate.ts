import type { PacedResult } from '../programs/paced-sender.ts';
import { perSecond } from './figures.ts';

/** A rate below this share does not meet the target's condition. */
const LEAST_SHARE = 0.95;

/** The rate of answered captures, after counting all that were sent. Throws when some failed. */
export function answeredRate({ sent, ok, seconds }: PacedResult): number {
  if (ok !== sent) throw new Error(`${sent - ok} of ${sent} captures failed`);
  return sent / seconds;
}

/** The note for a steady rate that the sender or the server did not hold. */
export function rateShortfall(rate: number, wanted: number): string | undefined {
  return rate < wanted * LEAST_SHARE ? `ONLY ${perSecond(rate)} were captured` : undefined;
}
