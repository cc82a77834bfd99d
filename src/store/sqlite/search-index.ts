import { existsSync, rmSync } from 'node:fs';
import type { Database } from 'better-sqlite3';
import { decodedText, receivedText } from '../../core/search-text.ts';
import { openAnother } from './database.ts';

/**
 * The search index: an FTS5 trigram table in a database file of its own, which
 * holds nothing that can't be made again from the events. `detail=none` keeps
 * it at about 0.6 times the bodies: it says which events have all trigrams of a
 * query, and the bodies decide.
 *
 * Everything up to `watermark` is in it, or in `unindexed` (bodies that it would
 * cost more to index than to scan), or deleted. What is newer is scanned.
 */

const SCHEMA_VERSION = 1;
const INDEX_OPTIONS = { durability: 'normal', cacheKib: 8192 } as const;
/** Larger bodies are scanned: 25 MiB of distinct trigrams would hold up all others. */
export const INDEXED_BODY_MAX_BYTES = 1024 * 1024;

const SCHEMA = `
  CREATE VIRTUAL TABLE bodies USING fts5 (
    text, content = '', contentless_delete = 1, detail = none,
    tokenize = 'trigram case_sensitive 1');
  CREATE TABLE unindexed (seq INTEGER PRIMARY KEY) STRICT;
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

/** It is made anew at the next opening. Readers that have it open go on with what they have. */
export function removeSearchIndex(file: string): void {
  for (const suffix of ['', '-wal', '-shm']) rmSync(file + suffix, { force: true });
}

/** Whether what is open, or attached as `schema`, is an index of this make and database. */
export function isIndexOf(db: Database, generation: string, schema = 'main'): boolean {
  if (db.pragma(`${schema}.user_version`, { simple: true }) !== SCHEMA_VERSION) return false;
  return db.prepare(`SELECT generation FROM ${schema}.state`).pluck().get() === generation;
}

/**
 * What the index holds of a body, or null when the body is to be scanned: too
 * large, or not UTF-8 (random bytes have as many trigrams as bytes). Only
 * U+FFFD tells that decoding lost something, and one that was sent makes no
 * difference: its body is scanned.
 */
export function indexedText(body: Uint8Array): string | null {
  if (body.length > INDEXED_BODY_MAX_BYTES) return null;
  const received = receivedText(body);
  if (received.includes('\ufffd')) return null;
  const decoded = decodedText(body);
  return decoded === null ? received : `${received}\n${decoded}`;
}

/**
 * The distinct trigrams of `q`, every one of which a body holding `q` has. Those
 * with a NUL are left out (FTS5 ends its query text there), and a `q` under
 * three code points has none: it is scanned for.
 */
export function trigramsOf(q: string): string[] {
  const points = [...q];
  const trigrams = new Set<string>();
  for (let i = 0; i + 3 <= points.length; i++) {
    const trigram = points.slice(i, i + 3).join('');
    if (!trigram.includes('\0')) trigrams.add(trigram);
  }
  return [...trigrams];
}

/** The FTS5 query for bodies that have all of these trigrams. */
export function allOf(trigrams: readonly string[]): string {
  return trigrams.map((trigram) => `"${trigram.replaceAll('"', '""')}"`).join(' AND ');
}

/** Broken pages, and what FTS5 says of tables that it can't read. */
export function isCorrupt(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code.startsWith('SQLITE_CORRUPT') || code === 'SQLITE_NOTADB') return true;
  return code === 'SQLITE_ERROR' && (error as Error).message.startsWith('vtable constructor');
}
