/** The prefix of a secret in base64 (Standard Webhooks). */
const BASE64_PREFIX = 'whsec_';
/** The smallest number of characters in a strong secret: 18 bytes in base64. */
const LEAST_CHARACTERS = 24;
/**
 * The smallest number of different characters in a strong secret. 24 random hex digits have about
 * 11.
 */
const LEAST_DIFFERENT = 6;

/**
 * Returns why a signing secret can be guessed. Null if the secret is strong or empty. hookrelay
 * accepts a weak secret with a warning, because the receiver may already use it.
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
