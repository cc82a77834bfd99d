/**
 * Replaces NUL, which PostgreSQL's text can't hold, by U+FFFD. Otherwise a NUL from a sender or
 * a destination would fail the whole batch. Bodies, headers and responses are kept exactly
 * without it.
 */
export function storable<T extends string | null>(text: T): T {
  return (text?.includes('\0') ? text.replaceAll('\0', '\ufffd') : text) as T;
}

/** Makes each text of a row storable. */
export function storableRow<T extends object>(row: T): T {
  const values = Object.entries(row).map(([key, value]) => [
    key,
    typeof value === 'string' ? storable(value) : value,
  ]);
  return Object.fromEntries(values) as T;
}
