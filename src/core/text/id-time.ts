/** The digits of an id, from 0 to 31: base32 of Crockford. */
export const ID_DIGITS = '0123456789abcdefghjkmnpqrstvwxyz';

/** When an id was made, Unix ms. The time is in its first ten digits (RFC 9562, section 5.7). */
export function timeOfId(id: string): number {
  const digits = id.slice(id.indexOf('_') + 1);
  let ms = 0;
  // 26 digits hold 130 bits: two zero bits, then the 48 bits of the time.
  for (const digit of digits.slice(0, 10)) ms = ms * 32 + ID_DIGITS.indexOf(digit);
  return ms;
}
