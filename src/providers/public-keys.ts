/**
 * How many of a source's public keys hookrelay uses: the present one, the next one, and a spare.
 */
export const MOST_PUBLIC_KEYS = 3;
/**
 * How many signatures a request may have if public keys check them. One check takes about 0.1 ms,
 * and anybody can send signatures.
 */
export const MOST_SIGNATURES = 3;

/** Returns the secrets without the public keys that exceed `MOST_PUBLIC_KEYS`. */
export function countedSecrets(
  { isPublicKey }: { isPublicKey?(secret: string): boolean },
  secrets: readonly string[],
): readonly string[] {
  if (!isPublicKey) return secrets;
  let keys = 0;
  return secrets.filter((secret) => !isPublicKey(secret) || ++keys <= MOST_PUBLIC_KEYS);
}
