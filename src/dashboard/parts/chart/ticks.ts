import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../core/text/duration.ts';
import type { Zone } from '../../model/clock.ts';
import { offsetOf, partsOf } from '../../text/time-text.ts';

/**
 * The possible steps between two times of an axis, ms. Each step divides a day or is whole days.
 */
const STEPS_MS = [
  ...[5, 10, 15, 30].map((minutes) => minutes * MINUTE_MS),
  ...[1, 2, 3, 4, 6, 12].map((hours) => hours * HOUR_MS),
  DAY_MS,
  2 * DAY_MS,
  7 * DAY_MS,
];

/** Returns the smallest of 1, 2, 5, 10, 20, … that isn't below `most`. */
export function niceTop(most: number): number {
  const size = 10 ** Math.floor(Math.log10(Math.max(1, most)));
  return [1, 2, 5, 10].map((times) => times * size).find((top) => top >= most) ?? 10 * size;
}

/** Round ends for an axis of long durations, ms. Half of each end is round too. */
const LONG_TOPS_MS = [
  10_000,
  20_000,
  ...[1, 2, 4, 10, 20].map((minutes) => minutes * MINUTE_MS),
  ...[1, 2, 4, 12, 24].map((hours) => hours * HOUR_MS),
];

/** Returns a round duration of at least `most`, ms. */
export function niceDuration(most: number): number {
  if (most <= 5000) return niceTop(most);
  return LONG_TOPS_MS.find((top) => top >= most) ?? Math.ceil(most / DAY_MS) * DAY_MS;
}

/** Returns a round duration as an axis shows it: `250 ms`, `2.5 s`, `10 s`, `1 min`. */
export function durationLabel(ms: number): string {
  if (ms < 1000) return `${ms} ms`;
  if (ms < MINUTE_MS) return `${ms / 1000} s`;
  return ms < HOUR_MS ? `${ms / MINUTE_MS} min` : `${ms / HOUR_MS} h`;
}

const compact = new Intl.NumberFormat('en', { notation: 'compact' });

/** Returns the label of a round count: `500`, `20K`, `1M`. Returns an empty text for a fraction. */
export const countLabel = (count: number): string =>
  Number.isInteger(count) ? compact.format(count) : '';

interface TimeTick {
  /** Unix ms. */
  at: number;
  text: string;
}

/**
 * Returns at most `most` times between `from` and `to`, Unix ms. The times are round in the zone.
 * Their texts are either all dates or all times of day.
 */
export function timeTicks(from: number, to: number, most: number, zone: Zone): TimeTick[] {
  const span = to - from;
  const step = STEPS_MS.find((one) => span / one <= Math.max(1, most)) ?? 7 * DAY_MS;
  const offset = offsetOf(from, zone);
  const ticks: TimeTick[] = [];
  for (let at = Math.ceil((from + offset) / step) * step - offset; at <= to; at += step) {
    const { date, time } = partsOf(at, zone);
    ticks.push({ at, text: step >= DAY_MS ? date : time });
  }
  return ticks;
}
