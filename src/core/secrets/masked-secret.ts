export const MASK = '********';

/**
 * Returns the masked form of a secret for people. The last four characters distinguish secrets. A
 * short secret shows no characters.
 *
 * @param secret null if it can't be opened
 */
export function maskedSecret(secret: string | null): string {
  const tail = secret !== null && secret.length > 8 ? secret.slice(-4) : '';
  return MASK + tail;
}
