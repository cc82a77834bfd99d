/**
 * Returns the entry of a table for a name that a stranger chose. Null if the table has none. A
 * plain read would also find inherited properties such as `constructor`.
 */
export function entryOf<T>(table: Readonly<Record<string, T>>, name: string | null): T | null {
  return name !== null && Object.hasOwn(table, name) ? (table[name] as T) : null;
}
