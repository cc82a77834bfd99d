/**
 * The largest number of a source's public keys that are used: the present one, the next one, and a
 * spare.
 */
export const MOST_PUBLIC_KEYS = 3;
/**
 * The largest number of signatures to check with public keys. A check takes about 0.1 ms, and
 * anybody can send signatures.
 */
export const MOST_SIGNATURES = 3;

/** Returns the secrets without the public keys beyond `MOST_PUBLIC_KEYS`. */
export function countedSecrets(
  { isPublicKey }: { isPublicKey?(secret: string): boolean },
  secrets: readonly string[],
): readonly string[] {
  if (!isPublicKey) return secrets;
  let keys = 0;
  return secrets.filter((secret) => !isPublicKey(secret) || ++keys <= MOST_PUBLIC_KEYS);
}
