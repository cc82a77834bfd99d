import type { PacedResult } from '../programs/paced-sender.ts';
import { perSecond } from './figures.ts';

/** Below this share of it, a rate was not what the target is about. */
const LEAST_SHARE = 0.95;

/** At which captures were answered, with all of them counted that were sent. Throws when some failed. */
export function answeredRate({ sent, ok, seconds }: PacedResult): number {
  if (ok !== sent) throw new Error(`${sent - ok} of ${sent} captures failed`);
  return sent / seconds;
}

/** What to say where a steady rate was not held, by the sender or by the server. */
export function rateShortfall(rate: number, wanted: number): string | undefined {
  return rate < wanted * LEAST_SHARE ? `ONLY ${perSecond(rate)} were captured` : undefined;
}
