/**
 * Replaces NUL by U+FFFD, because PostgreSQL's text can't contain NUL. Otherwise one NUL from a
 * sender or a destination would fail the whole batch. Bodies, headers and responses don't need
 * this, because their stored form allows NUL.
 */
export function storable<T extends string | null>(text: T): T {
  return (text?.includes('\0') ? text.replaceAll('\0', '\ufffd') : text) as T;
}

/** Applies `storable` to each text of a row. */
export function storableRow<T extends object>(row: T): T {
  const values = Object.entries(row).map(([key, value]) => [
    key,
    typeof value === 'string' ? storable(value) : value,
  ]);
  return Object.fromEntries(values) as T;
}
