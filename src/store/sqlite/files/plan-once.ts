import type Database from 'better-sqlite3';

/** Matches parameters. Also matches literals, names and comments, whose `?` is no parameter. */
const TOKEN = /'(?:[^']|'')*'|"(?:[^"]|"")*"|--[^\n]*|\/\*[\s\S]*?\*\/|\?/g;

/**
 * Makes SQLite plan each statement only once. SQLite plans `column = ?` and `LIMIT ?` for their
 * values, because it takes 0 and 1 for common values. So it plans again whenever a value changes.
 * That takes 10 to 35 µs, even for a statement that runs in one microsecond.
 *
 * A unary plus doesn't change a value, but SQLite doesn't look at the value behind it. SQLite's own
 * switch for this is QPSG, and the driver can't set it.
 */
export function planOnce(db: Database.Database): void {
  const prepare = db.prepare.bind(db);
  db.prepare = ((sql: string) => prepare(hideValues(sql))) as typeof db.prepare;
}

/** Puts a unary plus before each parameter of a statement. */
export function hideValues(sql: string): string {
  return sql.replace(TOKEN, (token) => (token === '?' ? '+?' : token));
}
