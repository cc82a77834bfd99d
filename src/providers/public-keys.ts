/** Public keys of a source that count: present and next, and one to spare. */
export const MOST_PUBLIC_KEYS = 3;
/**
 * Signatures of a request that count by public keys. Checking one by each key takes some 0.1 ms,
 * and anybody can send signatures.
 */
export const MOST_SIGNATURES = 3;

/** The secrets that count: all but the public keys beyond the first ones. */
export function countedSecrets(
  { isPublicKey }: { isPublicKey?(secret: string): boolean },
  secrets: readonly string[],
): readonly string[] {
  if (!isPublicKey) return secrets;
  let keys = 0;
  return secrets.filter((secret) => !isPublicKey(secret) || ++keys <= MOST_PUBLIC_KEYS);
}
