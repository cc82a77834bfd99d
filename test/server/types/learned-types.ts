import path from 'node:path';
import Database from 'better-sqlite3';
import type { Shape } from '../../../src/core/shapes/shape.ts';
import { readStoredShape } from '../../../src/core/shapes/stored-shape.ts';

export interface StoredRow {
  type: string;
  provider: string | null;
  count: number;
  shape: Shape | null;
}

/** The types of an endpoint, as a server has committed them. */
export function learnedTypes(dataDir: string, endpointId: string): StoredRow[] {
  return query(dataDir, (db) =>
    db
      .prepare<[string], Omit<StoredRow, 'shape'> & { shape: Buffer | null }>(`
        SELECT t.type, t.provider, t.count, t.shape FROM event_types t
        JOIN endpoints p ON p.key = t.endpoint_key WHERE p.id = ? ORDER BY t.type`)
      .all(endpointId)
      .map((row) => ({ ...row, shape: row.shape && (readStoredShape(row.shape) ?? null) })),
  );
}

/** The number of the last event that was learned from. */
export function learnedTo(dataDir: string): number {
  return query(dataDir, (db) =>
    Number(db.prepare("SELECT position FROM cursors WHERE name = 'types'").pluck().get()),
  );
}

/** The number of the newest event. */
export function newestEvent(dataDir: string): number {
  return query(dataDir, (db) =>
    Number(db.prepare('SELECT coalesce(max(seq), 0) FROM event_contents').pluck().get()),
  );
}

/** The literal values at a member of the payloads. */
export function valuesAt(shape: Shape | null | undefined, name: string): string[] {
  return [...(shape?.root.members?.get(name)?.place.texts?.values?.keys() ?? [])];
}

function query<T>(dataDir: string, look: (db: Database.Database) => T): T {
  const db = new Database(path.join(dataDir, 'hookrelay.db'), { readonly: true });
  try {
    return look(db);
  } finally {
    db.close();
  }
}
