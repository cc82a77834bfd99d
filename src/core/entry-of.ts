/**
 * The entry of a table under a name that a stranger chose; null without one. A plain read would
 * also find inherited properties such as `constructor`.
 */
export function entryOf<T>(table: Readonly<Record<string, T>>, name: string | null): T | null {
  return name !== null && Object.hasOwn(table, name) ? (table[name] as T) : null;
}
