import type { Database } from 'better-sqlite3';

/** Makes of today's database the one that a program with schema 2 would have written. */
export function downgradeToSchema2(db: Database): void {
  for (const column of ['open', 'succeeded', 'dead', 'failed']) {
    db.exec(`ALTER TABLE events DROP COLUMN ${column}`);
  }
  db.pragma('user_version = 2');
}
