/**
 * What a table of ours has under a name that a stranger chose; null for nothing.
 * Read plainly, a table also finds what every object inherits: `constructor`.
 */
export function entryOf<T>(table: Readonly<Record<string, T>>, name: string | null): T | null {
  return name !== null && Object.hasOwn(table, name) ? (table[name] as T) : null;
}
