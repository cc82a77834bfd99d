/** Replaces a secret. */
export const MASK = '********';

/**
 * A secret as answers and attempts show it. The last four characters distinguish secrets, but a
 * short secret shows none.
 *
 * @param secret null when it can't be opened
 */
export function maskedSecret(secret: string | null): string {
  const tail = secret !== null && secret.length > 8 ? secret.slice(-4) : '';
  return MASK + tail;
}
