/** Replaces a secret. */
export const MASK = '********';

/**
 * Returns a secret as answers and attempts show it. The last four characters let people distinguish
 * secrets. A short secret shows none of its characters.
 *
 * @param secret null if it can't be opened
 */
export function maskedSecret(secret: string | null): string {
  const tail = secret !== null && secret.length > 8 ? secret.slice(-4) : '';
  return MASK + tail;
}
