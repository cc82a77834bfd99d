import { existsSync } from 'node:fs';
import type { Database } from 'better-sqlite3';
import { removeWithSideFiles } from '../files/data-files.ts';
import { isBroken, openAnother } from '../files/database.ts';

/**
 * The search index is an FTS5 table in its own file. It can be rebuilt from the events. A row is a
 * block of consecutive events, with the grams of all their bodies (`gram-set.ts`). The index finds
 * the blocks that may contain a text, and the search reads their bodies. Text that the webhooks of
 * a block share is stored once. That takes an eighth of the work and size of indexing single
 * events.
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
 * or if it is broken, has an older format or belongs to another database.
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
 * Creates the index if it is missing. Otherwise removes its log, because readers can't do that.
 * Returns false if the index can't be opened.
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
 * Removes an index that is ahead of its database, because an older copy replaced the database. Such
 * an index would treat the next captures as indexed. Call it before anyone opens the index.
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

/** Removes the index. The next opening creates an empty one. Readers keep the old file open. */
export function removeSearchIndex(file: string): void {
  removeWithSideFiles(file);
}

/**
 * Whether the database is an index in this format for the database with this generation. Checks the
 * open database, or the one that is attached as `schema`.
 */
export function isIndexOf(db: Database, generation: string | undefined, schema = 'main'): boolean {
  if (db.pragma(`${schema}.user_version`, { simple: true }) !== SCHEMA_VERSION) return false;
  return db.prepare(`SELECT generation FROM ${schema}.state`).pluck().get() === generation;
}

/** Whether the error means broken pages, or a table that FTS5 can't read. */
export function isCorrupt(error: unknown): boolean {
  if (isBroken(error)) return true;
  const isOfSqlite = error instanceof Error && 'code' in error && error.code === 'SQLITE_ERROR';
  return isOfSqlite && error.message.startsWith('vtable constructor');
}
