/** What stands for a secret that is not shown at all. */
export const MASK = '********';

/**
 * A secret as answers and attempts show it. The last four characters tell one secret
 * from another, where they don't tell half of it.
 *
 * @param secret null when it can't be opened
 */
export function maskedSecret(secret: string | null): string {
  const tail = secret !== null && secret.length > 8 ? secret.slice(-4) : '';
  return MASK + tail;
}
