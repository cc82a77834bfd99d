/** Prefix of a secret whose rest is the key in base64 (Standard Webhooks). */
const BASE64_PREFIX = 'whsec_';
/** Shortest secret that isn't weak, characters after the prefix: 18 bytes in base64. */
const LEAST_CHARACTERS = 24;
/** Fewest different characters of a strong secret. Random hex of 24 has 11 or so. */
const LEAST_DIFFERENT = 6;

/**
 * Why a signing secret of a destination can be guessed; null for a strong one, and for none.
 * hookrelay accepts a weak one with a warning: the receiver may know it already.
 */
export function weaknessOf(secret: string): string | null {
  if (secret === '') return null;
  const key = [...(secret.startsWith(BASE64_PREFIX) ? secret.slice(BASE64_PREFIX.length) : secret)];
  if (key.length < LEAST_CHARACTERS) {
    return `is short: a secret of fewer than ${LEAST_CHARACTERS} characters can be guessed`;
  }
  if (new Set(key).size < LEAST_DIFFERENT) return 'repeats few characters, so it can be guessed';
  return null;
}
