import type { Database } from 'better-sqlite3';

/** The random id of the database (see `Store.generation`). Undefined before its first start. */
export function readGeneration(db: Database): string | undefined {
  return db.prepare<[], string>("SELECT value FROM meta WHERE name = 'generation'").pluck().get();
}
