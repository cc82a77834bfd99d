import { existsSync } from 'node:fs';
import type { Database } from 'better-sqlite3';
import { removeWithSideFiles } from '../files/data-files.ts';
import { isBroken, openAnother } from '../files/database.ts';

/**
 * The search index: an FTS5 table in a database file of its own, which holds
 * nothing that can't be made again from the events. A row stands for a block of
 * events that follow one another, and has the grams of all their bodies (see
 * `gram-set.ts`): it says in which blocks a text can be, and the bodies decide.
 * What webhooks have in common is in it once a block instead of once an event,
 * which makes an eighth of the work and of the size of an index by event.
 *
 * Everything up to `watermark` is in a block or deleted. What is newer is
 * scanned.
 */

const SCHEMA_VERSION = 2;
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
 * Opens the index of the database with this `generation`. One that is missing,
 * broken, of an older make, or another database's is made anew, empty.
 */
export function openSearchIndex(file: string, generation: string): Database {
  try {
    if (existsSync(file)) {
      const db = openAnother(file, INDEX_OPTIONS);
      if (isIndexOf(db, generation)) return db;
      db.close();
    }
  } catch {
    // Whatever is wrong with it, it is rebuilt: the events are elsewhere.
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
 * Removes an index that is ahead of its database, which an older copy was put in
 * place of: it would take what is captured next for indexed. Call it before
 * anyone has it open.
 *
 * @param lastSeq the newest event that the database ever had
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
    // Broken or of another make: whoever opens it for indexing finds out.
  }
  if (isAhead) removeSearchIndex(file);
}

/** It is made anew at the next opening. Readers that have it open go on with what they have. */
export function removeSearchIndex(file: string): void {
  removeWithSideFiles(file);
}

/** Whether what is open, or attached as `schema`, is an index of this make and database. */
export function isIndexOf(db: Database, generation: string, schema = 'main'): boolean {
  if (db.pragma(`${schema}.user_version`, { simple: true }) !== SCHEMA_VERSION) return false;
  return db.prepare(`SELECT generation FROM ${schema}.state`).pluck().get() === generation;
}

/** Broken pages, and what FTS5 says of tables that it can't read. */
export function isCorrupt(error: unknown): boolean {
  if (isBroken(error)) return true;
  const isOfSqlite = error instanceof Error && 'code' in error && error.code === 'SQLITE_ERROR';
  return isOfSqlite && error.message.startsWith('vtable constructor');
}
