/**
 * Replaces NUL, the one character that PostgreSQL's text can't hold, by U+FFFD. A NUL
 * from a sender or a destination would fail the whole batch. Used where exactness isn't
 * promised; bodies, headers and responses are kept exactly.
 */
export function storable<T extends string | null>(text: T): T {
  return (text?.includes('\0') ? text.replaceAll('\0', '\ufffd') : text) as T;
}

/** The same for each text of a row. */
export function storableRow<T extends object>(row: T): T {
  const values = Object.entries(row).map(([key, value]) => [
    key,
    typeof value === 'string' ? storable(value) : value,
  ]);
  return Object.fromEntries(values) as T;
}
