import { existsSync } from 'node:fs';
import type { Database } from 'better-sqlite3';
import { removeWithSideFiles } from '../files/data-files.ts';
import { isBroken, openAnother } from '../files/database.ts';

/**
 * The search index: an FTS5 table in a database file of its own. It can be rebuilt from the events.
 * A row stands for a block of consecutive events and has the grams of all their bodies (see
 * `gram-set.ts`). The index tells which blocks may contain a text. The search then reads the bodies
 * of these blocks. What the webhooks of a block have in common is stored only once. So this index
 * takes an eighth of the work and of the size that an index of single events would take.
 *
 * Every event up to `watermark` is in a block or deleted. Searches scan newer events.
 */

const SCHEMA_VERSION = 3;
const INDEX_OPTIONS = { durability: 'normal', cacheKib: 2048 } as const;

const SCHEMA = `
  CREATE TABLE blocks (last INTEGER PRIMARY KEY, first INTEGER NOT NULL) STRICT;
  -- Its row numbers are those of the blocks.
  CREATE VIRTUAL TABLE grams USING fts5 (
    words, content = '', contentless_delete = 1, detail = none, tokenize = 'ascii');
  CREATE TABLE state (
    only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
    generation TEXT NOT NULL,
    watermark INTEGER NOT NULL
  ) STRICT;
  PRAGMA user_version = ${SCHEMA_VERSION};`;

/**
 * Opens the index of the database with this `generation`. Creates an empty index if there is none,
 * or if the index is broken, has an older format or belongs to another database.
 */
export function openSearchIndex(file: string, generation: string): Database {
  try {
    if (existsSync(file)) {
      const db = openAnother(file, INDEX_OPTIONS);
      if (isIndexOf(db, generation)) return db;
      db.close();
    }
  } catch {
    // Whatever the error is, the index can be rebuilt from the events.
  }
  removeSearchIndex(file);
  const db = openAnother(file, INDEX_OPTIONS);
  db.transaction(() => {
    db.exec(SCHEMA);
    db.prepare('INSERT INTO state (only_row, generation, watermark) VALUES (1, ?, 0)').run(
      generation,
    );
  }).immediate();
  return db;
}

/**
 * Creates the index if it is missing. Otherwise removes the index's log, because readers can't do
 * that. Returns false if the index can't be opened.
 */
export function tidySearchIndex(file: string, generation: string): boolean {
  try {
    openSearchIndex(file, generation).close();
    return true;
  } catch {
    return false;
  }
}

/**
 * Removes an index that is ahead of its database. This happens when an older copy has replaced the
 * database. The index would then take the next captures for indexed ones. Call it before anyone
 * opens the index.
 *
 * @param lastSeq sequence number of the newest event that the database ever had
 */
export function removeIndexAhead(file: string, generation: string, lastSeq: number): void {
  if (!existsSync(file)) return;
  let isAhead = false;
  try {
    const db = openAnother(file, { readonly: true });
    try {
      const watermark = db.prepare<[], number>('SELECT watermark FROM state').pluck().get();
      isAhead = isIndexOf(db, generation) && (watermark ?? 0) > lastSeq;
    } finally {
      db.close();
    }
  } catch {
    // The index is broken or has another format. `openSearchIndex` replaces it.
  }
  if (isAhead) removeSearchIndex(file);
}

/**
 * Removes the index. The next opening creates an empty one. Readers that have the old file open
 * keep it.
 */
export function removeSearchIndex(file: string): void {
  removeWithSideFiles(file);
}

/**
 * Returns whether the database is an index in this format, and belongs to the database with this
 * generation. Checks the open database, or the one that is attached as `schema`.
 */
export function isIndexOf(db: Database, generation: string | undefined, schema = 'main'): boolean {
  if (db.pragma(`${schema}.user_version`, { simple: true }) !== SCHEMA_VERSION) return false;
  return db.prepare(`SELECT generation FROM ${schema}.state`).pluck().get() === generation;
}

/** Returns whether the error means broken pages, or a table that FTS5 can't read. */
export function isCorrupt(error: unknown): boolean {
  if (isBroken(error)) return true;
  const isOfSqlite = error instanceof Error && 'code' in error && error.code === 'SQLITE_ERROR';
  return isOfSqlite && error.message.startsWith('vtable constructor');
}
