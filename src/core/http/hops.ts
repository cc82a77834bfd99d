/** The largest number of relays on a request's way. More relays mean a loop. */
export const MAX_HOPS = 5;
const HOPS_HEADER = 'x-hookrelay-hops';

/**
 * Returns the number of relays that a captured request has passed. A malformed value counts as 0.
 *
 * @param rawHeaders name, value, name, value …
 */
export function hopsOf(rawHeaders: readonly string[]): number {
  for (let i = 0; i < rawHeaders.length; i += 2) {
    if ((rawHeaders[i] as string).toLowerCase() !== HOPS_HEADER) continue;
    const value = rawHeaders[i + 1] as string;
    return /^\d{1,3}$/.test(value) ? Number(value) : 0;
  }
  return 0;
}
