import type { HeaderPair } from '../../core/model.ts';

/** Returns all headers. `others` replace headers of the same names. */
export function withHeaders(
  headers: readonly HeaderPair[],
  others: readonly HeaderPair[],
): HeaderPair[] {
  const replaced = new Set(others.map(([name]) => name.toLowerCase()));
  return [...headers.filter(([name]) => !replaced.has(name.toLowerCase())), ...others];
}
