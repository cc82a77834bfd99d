const UNITS = ['B', 'KB', 'MB', 'GB'];

/** A size in binary units, as on the command line: `26 B`, `1.2 KB`. */
export function sizeText(bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (value >= 1024 && unit < UNITS.length - 1) {
    value /= 1024;
    unit++;
  }
  return `${unit > 0 && value < 10 ? value.toFixed(1) : Math.round(value)} ${UNITS[unit]}`;
}

const number = new Intl.NumberFormat('en');
export const countText = (count: number): string => number.format(count);

export function plural(count: number, one: string, many = `${one}s`): string {
  return `${countText(count)} ${count === 1 ? one : many}`;
}

/** `250 ms`, `1.2 s`, `3 min 5 s`, `2 h 4 min`. */
export function durationText(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  const s = ms / 1000;
  if (s < 60) return `${s < 10 ? s.toFixed(1) : Math.round(s)} s`;
  const min = Math.floor(s / 60);
  if (min < 60) return `${min} min ${Math.floor(s % 60)} s`;
  const h = Math.floor(min / 60);
  if (h < 48) return `${h} h ${min % 60} min`;
  return `${Math.floor(h / 24)} d ${h % 24} h`;
}

/** `3 s ago`, `in 5 min`. */
export function relativeText(iso: string, now: number): string {
  const ms = Date.parse(iso) - now;
  const size = Math.abs(ms);
  if (size < 1500) return ms > 0 ? 'now' : 'just now';
  const [value, unit] =
    size < 60_000
      ? [size / 1000, 's']
      : size < 3_600_000
        ? [size / 60_000, 'min']
        : size < 172_800_000
          ? [size / 3_600_000, 'h']
          : [size / 86_400_000, 'd'];
  const text = `${Math.round(value as number)} ${unit}`;
  return ms > 0 ? `in ${text}` : `${text} ago`;
}
