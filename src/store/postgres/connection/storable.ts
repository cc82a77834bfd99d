/**
 * Replaces NUL by U+FFFD, because PostgreSQL's text can't hold NUL. Otherwise one NUL from a sender
 * or a destination would fail the whole batch. Bodies, headers and responses don't need this: they
 * are stored in a form that holds NUL.
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
