/** Longest text of a stranger in an answer, characters. */
const MAX_VALUE = 120;

/**
 * Line and paragraph separators, control and format characters: terminal colours,
 * reversed text, invisible characters.
 */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cs}]+/gu;
const KB = 1024;

/** A stranger's text on one line, without control characters, at most `max` characters long. */
export function clean(text: string, max: number = MAX_VALUE): string {
  // Only a prefix is scanned. The factor covers characters with several code units.
  const line = text
    .slice(0, max * 8)
    .replace(INVISIBLE, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  const characters = [...line];
  const isCut = characters.length > max || text.length > max * 8;
  return isCut
    ? `${characters
        .slice(0, max - 1)
        .join('')
        .trimEnd()}…`
    : line;
}

/** A stranger's text in quotation marks. */
export function quoted(text: string, max?: number): string {
  return `"${clean(text, max).replaceAll('"', "'")}"`;
}

/** `a, b and c`. A long list shows its first items and the number of the others. */
export function listed(names: readonly string[], max = 8): string {
  const more = names.length - max;
  const shown = more > 0 ? [...names.slice(0, max), `${more} more`] : names;
  if (shown.length < 2) return shown.join('');
  return `${shown.slice(0, -1).join(', ')} and ${shown.at(-1)}`;
}

/** `1 commit`, `1,234 commits`, `2 deliveries`. */
export function counted(count: number, noun: string): string {
  const plural = /[^aeiou]y$/.test(noun) ? noun.replace(/y$/, 'ies') : `${noun}s`;
  return `${count.toLocaleString('en-US')} ${count === 1 ? noun : plural}`;
}

/** `512 B`, `1.5 KB`, `24.0 MB`, in binary units. */
export function sized(bytes: number): string {
  if (bytes < KB) return `${bytes} B`;
  return bytes < KB * KB ? `${(bytes / KB).toFixed(1)} KB` : `${(bytes / KB / KB).toFixed(1)} MB`;
}

/** `2026-01-31 12:00:00 UTC`; null for an invalid time. */
export function timed(ms: number): string | null {
  if (!(Math.abs(ms) <= 8.64e15)) return null;
  const iso = new Date(ms).toISOString();
  return `${iso.slice(0, -14)} ${iso.slice(-13, -5)} UTC`;
}

const ISO_TIME =
  /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d)?)(?:[.,]\d{1,9})? ?(Z|UTC|GMT|[+-]\d\d:?\d\d)?)?$/;

/**
 * An ISO 8601 text as a time in UTC. A date alone stays a date, and a time without a
 * zone stays without one. Null for any other text.
 */
export function timeText(text: string): string | null {
  const [, date, time, zone] = ISO_TIME.exec(text.trim()) ?? [];
  if (date === undefined || Number.isNaN(Date.parse(date))) return null;
  if (time === undefined) return date;
  return zone === undefined ? `${date} ${time}` : timed(Date.parse(text));
}

/** `850 ms`, `9.8 s`, `12 min`, `27 h`, `3 days`: a duration in one unit. */
export function lasted(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${Number((ms / 1000).toFixed(1))} s`;
  if (ms < 3_600_000) return `${Math.round(ms / 60_000)} min`;
  if (ms < 172_800_000) return `${Math.round(ms / 3_600_000)} h`;
  return `${Math.round(ms / 86_400_000)} days`;
}

const UNITS: readonly [ms: number, name: string][] = [
  [86_400_000, 'days'],
  [3_600_000, 'h'],
  [60_000, 'min'],
  [1000, 's'],
];

/** `850 ms`, `30 s`, `7 min 12 s`, `27 h`, `3 days 4 h`: a duration in two units, rounded down. */
export function lastedExactly(ms: number): string {
  // Two days are easier to read than 40 h.
  const from = ms < 172_800_000 ? 1 : 0;
  const at = UNITS.findIndex(([size], i) => i >= from && ms >= size);
  const [size, name] = UNITS[at] ?? [1, 'ms'];
  const whole = `${Math.floor(ms / size)} ${name}`;
  const [smaller, unit] = UNITS[at + 1] ?? [];
  const rest = at < 0 || smaller === undefined ? 0 : Math.floor((ms % size) / smaller);
  return rest === 0 ? whole : `${whole} ${rest} ${unit}`;
}

/** A template that is empty if one of its values is missing: `` opt` by ${name}` ``. */
export function opt(
  texts: TemplateStringsArray,
  ...values: (string | number | null | undefined)[]
): string {
  if (values.some((value) => value === null || value === undefined)) return '';
  return String.raw({ raw: texts }, ...values);
}
