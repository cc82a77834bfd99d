import type { Rate } from '../settings/rate-schema.ts';
import type { RateSlot } from './flow.ts';

const WINDOW_MS = { second: 1000, minute: 60_000, hour: 3_600_000 };
/** Most of the window in which a granted start may begin late, and the longest such time, ms. */
const LATE_SHARE = 1 / 10;
const MOST_LATE_MS = 1000;
/** Grants within this share of the window are stored together. Bounds the stored text. */
const SLOT_SHARE = 1 / 50;

/**
 * At most `limit` starts in any sliding window. The store grants starts when it claims
 * deliveries. A grant counts until its window has passed, plus the time by which its
 * start may be late, so that the limit holds whatever the delay between claim and start.
 */
export interface RateUse {
  /** Starts that can be granted now. */
  free: number;
  /** When the next start can be granted; null where one is free. */
  freeAt: number | null;
}

/** How late after its grant a start may begin, ms. */
export function mostLateMs({ per }: Rate): number {
  return Math.min(MOST_LATE_MS, WINDOW_MS[per] * LATE_SHARE);
}

export function rateUse(rate: Rate, starts: readonly RateSlot[], now: number): RateUse {
  const counted = present(rate, starts, now);
  let free = rate.limit - counted.reduce((sum, [, , count]) => sum + count, 0);
  if (free > 0) return { free, freeAt: null };
  for (const [, last, count] of counted) {
    free += count;
    if (free > 0) return { free: 0, freeAt: last + spanMs(rate) + 1 };
  }
  return { free: 0, freeAt: now + spanMs(rate) };
}

/** The starts after `count` more are granted now. */
export function withGrant(
  rate: Rate,
  starts: readonly RateSlot[],
  count: number,
  now: number,
): RateSlot[] {
  const counted = present(rate, starts, now);
  const last = counted.at(-1);
  if (last && now - last[0] < WINDOW_MS[rate.per] * SLOT_SHARE) {
    return [...counted.slice(0, -1), [last[0], now, last[2] + count]];
  }
  return [...counted, [now, now, count]];
}

/** The starts that still count. A start in the future was granted before the clock was set back. */
function present(rate: Rate, starts: readonly RateSlot[], now: number): RateSlot[] {
  return starts.filter(([, last]) => last > now - spanMs(rate) && last <= now + spanMs(rate));
}

function spanMs(rate: Rate): number {
  return WINDOW_MS[rate.per] + mostLateMs(rate);
}
