import type Database from 'better-sqlite3';

/**
 * Matches parameters, and literals, quoted names and comments, in which `?` is a plain
 * character.
 */
const TOKEN = /'(?:[^']|'')*'|"(?:[^"]|"")*"|--[^\n]*|\/\*[\s\S]*?\*\/|\?/g;

/**
 * Makes SQLite plan each statement once. SQLite uses the values of `column = ?` and
 * `LIMIT ?` when it plans: a 0 or a 1 counts as a common value. So it plans a statement
 * again whenever another value is bound, which takes 10 to 35 µs for a statement that
 * runs in one. SQLite doesn't use values behind a unary plus, which changes no value.
 * QPSG is SQLite's own switch for this; the driver can't set it.
 */
export function planOnce(db: Database.Database): void {
  const prepare = db.prepare.bind(db);
  db.prepare = ((sql: string) => prepare(hideValues(sql))) as typeof db.prepare;
}

/** Puts a unary plus before each parameter of a statement. */
export function hideValues(sql: string): string {
  return sql.replace(TOKEN, (token) => (token === '?' ? '+?' : token));
}
