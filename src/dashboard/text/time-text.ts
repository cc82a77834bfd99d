import { HOUR_MS, MINUTE_MS } from '../../core/text/duration.ts';
import type { Zone } from '../model/clock.ts';

const two = (value: number): string => String(value).padStart(2, '0');
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const CLOCK_LENGTH = '2026-11-21 14:05:09'.length;

/** Returns how far a zone is ahead of UTC at an instant, ms. */
export const offsetOf = (ms: number, zone: Zone): number =>
  zone === 'utc' ? 0 : -new Date(ms).getTimezoneOffset() * MINUTE_MS;

/**
 * Returns the parts of an instant in a zone. Shifts the date by the zone's offset to read UTC
 * parts.
 */
export function partsOf(ms: number, zone: Zone) {
  const offset = offsetOf(ms, zone);
  const at = new Date(ms + offset);
  return {
    year: at.getUTCFullYear(),
    month: at.getUTCMonth(),
    day: at.getUTCDate(),
    date: `${MONTHS[at.getUTCMonth()]} ${at.getUTCDate()}`,
    time: `${two(at.getUTCHours())}:${two(at.getUTCMinutes())}`,
    seconds: `${two(at.getUTCSeconds())}.${String(at.getUTCMilliseconds()).padStart(3, '0')}`,
    offset,
  };
}

/**
 * Returns the shortest form of a time: `12 s`, `4 min`, `14:05`, `Nov 21, 14:05`, `Nov 21 2025,
 * 14:05`. A time within the next hour begins with `in`.
 *
 * @param at Unix ms
 * @param now Unix ms
 */
export function briefTime(at: number, now: number, zone: Zone): string {
  const ms = Math.abs(now - at);
  const ahead = at > now ? 'in ' : '';
  if (ms < 1000) return 'now';
  if (ms < MINUTE_MS) return `${ahead}${Math.floor(ms / 1000)} s`;
  if (ms < HOUR_MS) return `${ahead}${Math.floor(ms / MINUTE_MS)} min`;
  const then = partsOf(at, zone);
  const today = partsOf(now, zone);
  const isSameYear = then.year === today.year;
  if (isSameYear && then.date === today.date) return then.time;
  return `${then.date}${isSameYear ? '' : ` ${then.year}`}, ${then.time}`;
}

/**
 * Returns a time that fits into a sentence: `4 min ago`, `at 14:05`, `on Nov 21, 14:05`, `in 30 s`.
 *
 * @param at Unix ms
 * @param now Unix ms
 */
export function saidTime(at: number, now: number, zone: Zone): string {
  const text = briefTime(at, now, zone);
  if (text === 'now') return 'just now';
  if (text.startsWith('in ')) return text;
  if (Math.abs(now - at) < HOUR_MS) return `${text} ago`;
  return `${text.includes(',') ? 'on' : 'at'} ${text}`;
}

/**
 * Returns a time to the second, with the date if it isn't today: `14:05:09`, `2026-11-21 14:05:09`.
 *
 * @param at Unix ms
 * @param now Unix ms
 */
export function clockTime(at: number, now: number, zone: Zone): string {
  const then = exactTime(at, zone).slice(0, CLOCK_LENGTH);
  const [day, time] = then.split(' ');
  return exactTime(now, zone).startsWith(`${day} `) ? (time as string) : then;
}

/** Returns the exact instant with its zone: `2026-11-21 14:05:09.120 UTC+1`. */
export function exactTime(at: number, zone: Zone): string {
  const { year, month, day, time, seconds, offset } = partsOf(at, zone);
  return `${year}-${two(month + 1)}-${two(day)} ${time}:${seconds} ${zoneText(offset)}`;
}

function zoneText(offset: number): string {
  if (offset === 0) return 'UTC';
  const minutes = Math.abs(offset) / MINUTE_MS;
  const rest = minutes % 60 === 0 ? '' : `:${two(minutes % 60)}`;
  return `UTC${offset < 0 ? '−' : '+'}${Math.floor(minutes / 60)}${rest}`;
}
