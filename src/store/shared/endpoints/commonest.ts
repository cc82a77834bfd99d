/** The number of newest events from which an endpoint's provider is guessed. */
export const GUESSED_FROM = 20;

/**
 * Returns the most frequent value, the first of equally frequent ones. Returns null if all are
 * null.
 */
export function commonest(values: readonly (string | null)[]): string | null {
  const counts = new Map<string, number>();
  let most: string | null = null;
  for (const value of values) {
    if (value !== null) counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  for (const [value, count] of counts) {
    if (most === null || count > (counts.get(most) as number)) most = value;
  }
  return most;
}
