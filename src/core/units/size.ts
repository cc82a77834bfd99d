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
 * Bytes of a size such as `26214400`, `512kb`, `25mb` or `25MiB`. All units are binary.
 * Returns null for any other text.
 */
export function parseSize(text: string): number | null {
  const match = /^(\d+(?:\.\d+)?)\s*([a-z]*)$/.exec(text.trim().toLowerCase());
  const unit = match && entryOf(UNIT_BYTES, match[2] || 'b');
  if (!unit) return null;
  const bytes = Math.round(Number(match[1]) * unit);
  return Number.isSafeInteger(bytes) ? bytes : null;
}
