const MASK = '********';
/** What {@link maskedSecret} makes, as a regular expression. */
const MASKED = '\\*{8}[\\s\\S]{0,4}$';
const IS_MASKED = new RegExp(`^${MASKED}`, 'u');

/** Stands at the start of a regular expression whose texts must not be masked secrets. */
export const NOT_MASKED = `^(?!${MASKED})`;

/**
 * A secret as answers show it. The last four characters tell one secret from
 * another, where they don't tell half of it.
 *
 * @param secret null when it can't be opened
 */
export function maskedSecret(secret: string | null): string {
  const tail = secret !== null && secret.length > 8 ? secret.slice(-4) : '';
  return MASK + tail;
}

/** Whether a text is what {@link maskedSecret} makes of some secret. */
export function isMasked(text: string): boolean {
  return IS_MASKED.test(text);
}
