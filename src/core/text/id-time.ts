/** The digits of ids in the order of their values 0 to 31 (Crockford's base32). */
export const ID_DIGITS = '0123456789abcdefghjkmnpqrstvwxyz';

/**
 * Returns when an id was made, Unix ms. The first ten digits encode the time (RFC 9562, section
 * 5.7).
 */
export function timeOfId(id: string): number {
  const digits = id.slice(id.indexOf('_') + 1);
  let ms = 0;
  // The 26 digits are 130 bits: two zero bits, then 48 bits of time, then the rest.
  for (const digit of digits.slice(0, 10)) ms = ms * 32 + ID_DIGITS.indexOf(digit);
  return ms;
}
