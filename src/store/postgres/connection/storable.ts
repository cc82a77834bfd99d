/**
 * PostgreSQL's text holds every character but NUL. One in what a sender or a
 * destination sent would fail the whole batch, so it becomes U+FFFD where
 * exactness isn't promised; bodies, headers and responses are kept exactly.
 */
export function storable<T extends string | null>(text: T): T {
  return (text?.includes('\0') ? text.replaceAll('\0', '\ufffd') : text) as T;
}
