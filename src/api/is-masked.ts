/** What `maskedSecret` makes, as a regular expression. */
const MASKED = '\\*{8}[\\s\\S]{0,4}$';
const IS_MASKED = new RegExp(`^${MASKED}`, 'u');

/** Stands at the start of a regular expression whose texts must not be masked secrets. */
export const NOT_MASKED = `^(?!${MASKED})`;

/** Whether a text is what `maskedSecret` makes of some secret. */
export function isMasked(text: string): boolean {
  return IS_MASKED.test(text);
}
