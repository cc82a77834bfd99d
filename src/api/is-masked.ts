/** A regular expression for the masks of `maskedSecret`. */
const MASKED = '\\*{8}[\\s\\S]{0,4}$';
const IS_MASKED = new RegExp(`^${MASKED}`, 'u');

/** The start of a regular expression that matches no masked secret. */
export const NOT_MASKED = `^(?!${MASKED})`;

/** Whether a text is a mask of `maskedSecret`. */
export function isMasked(text: string): boolean {
  return IS_MASKED.test(text);
}
