import type { Database } from 'better-sqlite3';

/** Returns the database's random id (see `Store.generation`); undefined if it has none. */
export function readGeneration(db: Database): string | undefined {
  return db.prepare<[], string>("SELECT value FROM meta WHERE name = 'generation'").pluck().get();
}
