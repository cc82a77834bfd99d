import type Database from 'better-sqlite3';

/** Matches parameters, and the literals, names and comments in which `?` is no parameter. */
const TOKEN = /'(?:[^']|'')*'|"(?:[^"]|"")*"|--[^\n]*|\/\*[\s\S]*?\*\/|\?/g;

/**
 * Makes SQLite plan each statement once. It plans `column = ?` and `LIMIT ?` by their values,
 * since 0 and 1 count as common. So it plans again when a value changes, which takes 10 to
 * 35 µs for a statement that runs in one.
 *
 * SQLite ignores values behind a unary plus, which changes no value. Its own switch is QPSG,
 * which the driver can't set.
 */
export function planOnce(db: Database.Database): void {
  const prepare = db.prepare.bind(db);
  db.prepare = ((sql: string) => prepare(hideValues(sql))) as typeof db.prepare;
}

/** Puts a unary plus before each parameter of a statement. */
export function hideValues(sql: string): string {
  return sql.replace(TOKEN, (token) => (token === '?' ? '+?' : token));
}
