/** Prefix of a secret whose rest is the key in base64 (Standard Webhooks). */
const BASE64_PREFIX = 'whsec_';
/** Characters after the prefix that a strong secret has at least: 18 bytes in base64. */
const LEAST_CHARACTERS = 24;
/** Different characters that a strong secret has at least. 24 random hex digits have about 11. */
const LEAST_DIFFERENT = 6;

/**
 * Returns why a destination's signing secret can be guessed. Null if the secret is strong or empty.
 * hookrelay accepts a weak secret with a warning, because the receiver may already use it.
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
