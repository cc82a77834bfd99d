/** The digits of an id, in order of their values from 0 to 31: Crockford's base32. */
export const ID_DIGITS = '0123456789abcdefghjkmnpqrstvwxyz';

/** Returns when an id was made, Unix ms: its first ten digits (RFC 9562, section 5.7). */
export function timeOfId(id: string): number {
  const digits = id.slice(id.indexOf('_') + 1);
  let ms = 0;
  // The 26 digits hold 130 bits. First come two zero bits, then the 48 bits of the time.
  for (const digit of digits.slice(0, 10)) ms = ms * 32 + ID_DIGITS.indexOf(digit);
  return ms;
}
