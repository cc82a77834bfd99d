import type { Database } from 'better-sqlite3';

/**
 * Returns the random id of the database (see `Store.generation`). Returns undefined before the
 * first start.
 */
export function readGeneration(db: Database): string | undefined {
  return db.prepare<[], string>("SELECT value FROM meta WHERE name = 'generation'").pluck().get();
}
