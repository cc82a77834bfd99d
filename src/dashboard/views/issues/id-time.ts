const DIGITS = '0123456789abcdefghjkmnpqrstvwxyz';
/** Digits that hold the 48 bits of the time, after two bits of padding. */
const TIME_DIGITS = 10;
/** Ids are not older than the form that they have. Unix ms. */
const EARLIEST = Date.UTC(2024, 0, 1);

/** The instant in an id (UUIDv7 as a TypeID), ISO 8601. Null where it has none. */
export function idTime(id: string): string | null {
  const digits = id.slice(id.lastIndexOf('_') + 1).slice(0, TIME_DIGITS);
  let value = 0;
  for (const digit of digits) {
    const number = DIGITS.indexOf(digit);
    if (number === -1) return null;
    value = value * 32 + number;
  }
  // 50 bits, of which the first two are padding: 48 of time.
  return digits.length === TIME_DIGITS && value >= EARLIEST ? new Date(value).toISOString() : null;
}
