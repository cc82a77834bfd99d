/*
 * Why a signing secret can be guessed. The server has the same rule, and says so in its answer;
 * here it is said while one types. `test/dashboard/weak-secret.test.ts` compares both.
 */

const BASE64_PREFIX = 'whsec_';
/** Shortest secret that isn't weak, characters after the prefix. */
const LEAST_CHARACTERS = 24;
/** Fewest different characters of a strong secret. */
const LEAST_DIFFERENT = 6;

/** Null for a strong secret, and for none. */
export function weaknessOf(secret: string): string | null {
  if (secret === '') return null;
  const key = [...(secret.startsWith(BASE64_PREFIX) ? secret.slice(BASE64_PREFIX.length) : secret)];
  if (key.length < LEAST_CHARACTERS) {
    return `is short: a secret of fewer than ${LEAST_CHARACTERS} characters can be guessed`;
  }
  if (new Set(key).size < LEAST_DIFFERENT) return 'repeats few characters, so it can be guessed';
  return null;
}
