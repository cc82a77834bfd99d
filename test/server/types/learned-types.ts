import path from 'node:path';
import Database from 'better-sqlite3';
import type { PayloadShape } from '../../../src/core/shapes/shape.ts';
import { readStoredShape } from '../../../src/core/shapes/stored-shape.ts';
import { until } from '../../fixtures/until.ts';

export interface StoredRow {
  type: string;
  provider: string | null;
  count: number;
  shape: PayloadShape | null;
}

/** The types of an endpoint, as a server has committed them. */
export function learnedTypes(dataDir: string, endpointId: string): Promise<StoredRow[]> {
  return query(dataDir, (db) =>
    db
      .prepare<[string], Omit<StoredRow, 'shape'> & { shape: Buffer | null }>(`
        SELECT t.type, t.provider, t.count, t.shape FROM event_types t
        JOIN endpoints p ON p.key = t.endpoint_key WHERE p.id = ? ORDER BY t.type`)
      .all(endpointId)
      .map((row) => ({ ...row, shape: row.shape && (readStoredShape(row.shape) ?? null) })),
  );
}

/** Waits until the newest event is learned from. */
export function untilLearned(dataDir: string): Promise<boolean> {
  // One connection for all looks: opening one costs more than the look.
  return query(dataDir, (db) => until('all is learned', () => learnedToIn(db) === newestIn(db)));
}

/** The number of the last event that was learned from. */
export function learnedTo(dataDir: string): Promise<number> {
  return query(dataDir, learnedToIn);
}

/** The number of the newest event. */
export function newestEvent(dataDir: string): Promise<number> {
  return query(dataDir, newestIn);
}

function learnedToIn(db: Database.Database): number {
  return Number(db.prepare("SELECT position FROM cursors WHERE name = 'types'").pluck().get());
}

function newestIn(db: Database.Database): number {
  return Number(db.prepare('SELECT coalesce(max(seq), 0) FROM event_contents').pluck().get());
}

/** The literal values at a member of the payloads. */
export function valuesAt(shape: PayloadShape | null | undefined, name: string): string[] {
  return [...(shape?.root.members?.get(name)?.place.texts?.values?.keys() ?? [])];
}

async function query<T>(
  dataDir: string,
  look: (db: Database.Database) => T | Promise<T>,
): Promise<T> {
  const db = new Database(path.join(dataDir, 'hookrelay.db'), { readonly: true });
  try {
    return await look(db);
  } finally {
    db.close();
  }
}
