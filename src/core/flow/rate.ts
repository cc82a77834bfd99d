import type { Rate } from '../settings/rate-schema.ts';
import type { RateSlot } from './flow.ts';

const WINDOW_MS = { second: 1000, minute: 60_000, hour: 3_600_000 };
/** The longest delay of a granted start, as a share of the window. `MOST_LATE_MS` caps it. */
const LATE_SHARE = 2 / 25;
const MOST_LATE_MS = 1000;
/** Grants within this share of the window are stored as one grant. This keeps the JSON short. */
const SLOT_SHARE = 1 / 50;
const MOST_TOGETHER = 256;
const MOST_AHEAD_MS = 10_000;
/** The longest gap between two starts, ms. Gaps spare the receiver bursts. */
const MOST_APART_MS = 10;

/**
 * How much of a rate is used. A rate allows at most `limit` starts in any sliding window. The store
 * grants each start in advance, for one moment. From that moment, the grant counts for the window's
 * length plus the start's longest delay. So the limit holds, however long a node takes to start.
 *
 * A distant node gets its answer some milliseconds late. So it asks for moments ahead, by its lead
 * time. A grant that the node gives back doesn't count, because nothing started.
 */
export interface RateUse {
  /** The number of starts that can be granted now. */
  free: number;
  /** The time of the next possible grant. Null if one is possible now. */
  freeAt: number | null;
}

/** The moments that a node asks for. */
export interface GrantTerms {
  /** The node's lead time before an attempt, ms. No granted moment is earlier. */
  leadMs: number;
  /** The length of the period after `leadMs` for which one transaction grants all starts, ms. */
  aheadMs: number;
  /** The part of the allowed delay that the request spends on its way to the receiver, ms. */
  spareMs: number;
}

/** The terms for a store in the same process. */
export const AT_ONCE: GrantTerms = { leadMs: 20, aheadMs: 0, spareMs: 0 };

/** A start that the rate has granted. It may begin from `from` to `by`, Unix ms. */
export interface GrantedStart {
  from: number;
  by: number;
  /** The moment from which the start counts, Unix ms. */
  at: number;
  /** The rate at the time of the grant. */
  rate: Rate;
}

/** Returns the longest delay of a granted start, ms. */
function mostLateMs({ per }: Rate): number {
  return Math.min(MOST_LATE_MS, Math.floor(WINDOW_MS[per] * LATE_SHARE));
}

export function rateUse(rate: Rate, starts: readonly RateSlot[], now: number): RateUse {
  const counted = present(rate, starts, now);
  const free = rate.limit - counted.reduce((sum, [, , count]) => sum + count, 0);
  return free > 0 ? { free, freeAt: null } : { free: 0, freeAt: freeAt(rate, counted) };
}

/**
 * Returns the next starts that can be granted, at most `MOST_TOGETHER`. `next` is the earliest
 * moment for one more.
 */
export function grantable(
  rate: Rate,
  starts: readonly RateSlot[],
  now: number,
  terms: GrantTerms,
): { grants: GrantedStart[]; next: number } {
  const leadMs = Math.min(terms.leadMs, MOST_AHEAD_MS / 2);
  const until = now + leadMs + Math.min(terms.aheadMs, MOST_AHEAD_MS / 2);
  const apart = terms.aheadMs === 0 ? 0 : spacingMs(rate);
  const lateMs = mostLateMs(rate) - terms.spareMs;
  const grants: GrantedStart[] = [];
  const counted = present(rate, starts, now);
  for (;;) {
    const last = counted.at(-1)?.[1] ?? Number.NEGATIVE_INFINITY;
    const free = freeAt(rate, counted);
    const at = Math.max(now + leadMs, free, last + apart);
    if (at > until || grants.length === MOST_TOGETHER) return { grants, next: at };
    // The node may be ready before its lead time ends.
    grants.push({ from: Math.max(free, at - leadMs), by: at + lateMs, at, rate });
    addStart(rate, counted, at);
  }
}

/** Returns the starts that count, including `grants`. */
export function withGrants(
  rate: Rate,
  starts: readonly RateSlot[],
  grants: readonly GrantedStart[],
  now: number,
): RateSlot[] {
  const counted = present(rate, starts, now);
  for (const { at } of grants) addStart(rate, counted, at);
  return counted;
}

/** Returns the starts without the grants that a node gave back. */
export function withoutGrants(
  starts: readonly RateSlot[],
  grants: readonly GrantedStart[],
): RateSlot[] {
  const left = [...starts];
  for (const { at } of grants) {
    const place = left.findIndex(([first, last]) => first <= at && at <= last);
    const slot = left[place];
    if (slot) left[place] = [slot[0], slot[1], slot[2] - 1];
  }
  return left.filter(([, , count]) => count > 0);
}

function spacingMs({ limit, per }: Rate): number {
  return Math.min(MOST_APART_MS, Math.floor(WINDOW_MS[per] / (2 * limit)));
}

/** Returns when one more start is possible: after the window of the last `limit` starts. */
function freeAt(rate: Rate, counted: readonly RateSlot[]): number {
  let left = rate.limit;
  for (let i = counted.length - 1; i >= 0; i--) {
    const [, last, count] = counted[i] as RateSlot;
    left -= count;
    if (left <= 0) return last + spanMs(rate) + 1;
  }
  return Number.NEGATIVE_INFINITY;
}

function addStart(rate: Rate, counted: RateSlot[], at: number): void {
  const last = counted.at(-1);
  if (last && at - last[0] < WINDOW_MS[rate.per] * SLOT_SHARE) {
    counted[counted.length - 1] = [last[0], at, last[2] + 1];
  } else {
    counted.push([at, at, 1]);
  }
}

/**
 * Returns the starts that still count. A start too far ahead is dropped, because it was granted
 * before the clock was set back.
 */
function present(rate: Rate, starts: readonly RateSlot[], now: number): RateSlot[] {
  const most = now + spanMs(rate) + MOST_AHEAD_MS;
  return starts.filter(([, last]) => last > now - spanMs(rate) && last <= most);
}

function spanMs(rate: Rate): number {
  return WINDOW_MS[rate.per] + mostLateMs(rate);
}
