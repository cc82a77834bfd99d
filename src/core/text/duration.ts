const SECOND_MS = 1000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** Units of settings, the largest first. */
const SETTING_UNITS: readonly [name: string, ms: number][] = [
  ['d', DAY_MS],
  ['h', HOUR_MS],
  ['m', MINUTE_MS],
  ['s', SECOND_MS],
  ['ms', 1],
];
const SETTING = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)$/;

/** Units of sentences, the largest first. */
const UNITS: readonly [ms: number, name: string][] = [
  [DAY_MS, 'days'],
  [HOUR_MS, 'h'],
  [MINUTE_MS, 'min'],
  [SECOND_MS, 's'],
];
/** Shorter durations are in hours, because `40 h` is easier to read than `1 day 16 h`. */
const FIRST_DAYS_MS = 2 * DAY_MS;

/**
 * Reads a duration such as `500ms`, `5s`, `10m`, `24h` or `30d` to milliseconds. Returns null for
 * any other text. The unit is required.
 */
export function parseDuration(text: string): number | null {
  const [, count, name] = SETTING.exec(text.trim()) ?? [];
  const [, unitMs] = SETTING_UNITS.find(([unit]) => unit === name) ?? [];
  if (unitMs === undefined) return null;
  const ms = Math.round(Number(count) * unitMs);
  return Number.isSafeInteger(ms) ? ms : null;
}

/** Returns the shortest exact spelling that `parseDuration` reads: `5s`, `24h`, `1500ms`. */
export function spellDuration(ms: number): string {
  const fits = ([name, size]: (typeof SETTING_UNITS)[number]) =>
    ms >= size && ms % size === 0 && !(name === 'd' && ms < 3 * DAY_MS);
  const [name, size] = SETTING_UNITS.find(fits) ?? ['ms', 1];
  return `${ms / size}${name}`;
}

/** Writes a duration in one unit: `850 ms`, `9.8 s`, `12 s`, `12 min`, `27 h`, `3 days`. */
export function formatDuration(ms: number): string {
  if (ms < SECOND_MS) return `${Math.round(ms)} ms`;
  if (ms < 10 * SECOND_MS) return `${Number((ms / SECOND_MS).toFixed(1))} s`;
  if (ms < MINUTE_MS) return `${Math.round(ms / SECOND_MS)} s`;
  if (ms < HOUR_MS) return `${Math.round(ms / MINUTE_MS)} min`;
  if (ms < FIRST_DAYS_MS) return `${Math.round(ms / HOUR_MS)} h`;
  return `${Math.round(ms / DAY_MS)} days`;
}

/** Writes up to two units, rounded down: `850 ms`, `7 min 12 s`, `27 h`, `3 days 4 h`. */
export function formatExactDuration(ms: number): string {
  const from = ms < FIRST_DAYS_MS ? 1 : 0;
  const at = UNITS.findIndex(([size], i) => i >= from && ms >= size);
  const [size, name] = UNITS[at] ?? [1, 'ms'];
  const whole = `${Math.floor(ms / size)} ${name}`;
  const [smaller, unit] = UNITS[at + 1] ?? [];
  const rest = at < 0 || smaller === undefined ? 0 : Math.floor((ms % size) / smaller);
  return rest === 0 ? whole : `${whole} ${rest} ${unit}`;
}

/**
 * Writes a time relative to the present: `12 s ago`, `in 3 min`. A difference below 1 s is `now`.
 *
 * @param ms the time minus the present time; negative for the past
 */
export function formatRelativeTime(ms: number): string {
  const distance = Math.abs(ms);
  if (distance < SECOND_MS) return 'now';
  const text = formatDuration(Math.floor(distance / SECOND_MS) * SECOND_MS);
  return ms < 0 ? `${text} ago` : `in ${text}`;
}
