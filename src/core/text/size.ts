import { entryOf } from '../entry-of.ts';

const UNIT_BYTES: Record<string, number> = {
  b: 1,
  kb: 1024,
  kib: 1024,
  mb: 1024 ** 2,
  mib: 1024 ** 2,
  gb: 1024 ** 3,
  gib: 1024 ** 3,
};

/**
 * Reads a size such as `26214400`, `512kb`, `25mb` or `25MiB` to bytes. All units are powers of
 * 1024. Returns null for any other text.
 */
export function parseSize(text: string): number | null {
  const match = /^(\d+(?:\.\d+)?)\s*([a-z]*)$/.exec(text.trim().toLowerCase());
  const unit = match && entryOf(UNIT_BYTES, match[2] || 'b');
  if (!unit) return null;
  const bytes = Math.round(Number(match[1]) * unit);
  return Number.isSafeInteger(bytes) ? bytes : null;
}

const SHOWN_UNITS = ['B', 'KB', 'MB', 'GB'];

/** Writes a size in powers of 1024: `512 B`, `1.5 KB`, `24.0 MB`, `118.4 GB`. */
export function formatSize(bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (value >= 1024 && unit < SHOWN_UNITS.length - 1) {
    value /= 1024;
    unit++;
  }
  return `${unit === 0 ? value : value.toFixed(1)} ${SHOWN_UNITS[unit]}`;
}
