import { accessSync, constants, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { HookrelayError } from '../../../core/errors.ts';
import { freeMemory } from '../../../core/runtime/free-memory.ts';
import type {
  ContentFacts,
  DatabaseFacts,
  Inspection,
  StoredFile,
} from '../../contract/admin-store.ts';
import {
  FLOWING_DESTINATIONS,
  type FlowingDestinationRow,
  refusingOf,
} from '../../shared/destinations/refusing-destinations.ts';
import { readableBody, type StoredBody } from '../events/stored-body.ts';
import { databaseFile, isThere, searchFile, sizeOf } from '../files/data-files.ts';
import { diskSpace } from '../files/disk-space.ts';
import { readGeneration } from '../files/generation.ts';
import { tracesOfDatabase } from '../files/lost-database.ts';
import { isBlank, isOurs, newestSchema, schemaOf } from '../files/schema.ts';
import { readStats } from '../overview/stats.ts';
import { isIndexOf } from '../search-index/search-index.ts';
import { lockHolder, noData } from './admin-lock.ts';

/** The largest number of faults of each kind in a list. */
const MAX_PROBLEMS = 20;
/** The first schema with compressed bodies. */
const COMPRESSED_SINCE_SCHEMA = 2;

/** Describes a data directory. Doesn't change it. */
export async function inspect(dataDir: string, now: number): Promise<Inspection> {
  const directory = describe(dataDir, null);
  const files = directory ? filesIn(dataDir, directory.uid) : [];
  return {
    engine: `SQLite ${sqliteVersion()}`,
    directory: directory && withoutUid(directory),
    files,
    disk: directory && (await diskSpace(dataDir)),
    holder: attempt(() => lockHolder(dataDir)),
    database: inspectDatabase(dataDir, now),
  };
}

/** Lists the faults that SQLite finds. `full` also checks references and bodies. */
export function checkIntegrity(dataDir: string, full: boolean): string[] {
  return reading(databaseFile(dataDir), (db) => {
    const pragma = full ? 'integrity_check' : 'quick_check';
    const lines = db.prepare<[], string>(`PRAGMA ${pragma}(${MAX_PROBLEMS})`).pluck().all();
    const problems = lines.filter((line) => line !== 'ok');
    if (full) problems.push(...danglingReferences(db));
    // Reading a body from a broken page throws. That would hide the faults found so far.
    if (full && problems.length === 0) problems.push(...damagedBodies(db));
    return problems;
  });
}

export function readSecretCheck(dataDir: string): string | null {
  const file = databaseFile(dataDir);
  if (!isThere(file)) throw noData(dataDir);
  return reading(file, (db) => (isBlank(db) ? null : secretCheckOf(db)));
}

export function secretCheckOf(db: Database.Database): string | null {
  const read = db.prepare<[], string>("SELECT value FROM meta WHERE name = 'secret_check'").pluck();
  return read.get() ?? null;
}

export function newestEventAt(db: Database.Database): number | null {
  return db
    .prepare<[], number | null>(`
      SELECT max((SELECT max(e.received_at) FROM events e WHERE e.endpoint_key = p.key))
      FROM endpoints p`)
    .pluck()
    .get() as number | null;
}

export function countEvents(db: Database.Database): number {
  return db
    .prepare<[], number>('SELECT coalesce(sum(count), 0) FROM event_counts')
    .pluck()
    .get() as number;
}

function inspectDatabase(dataDir: string, now: number): DatabaseFacts {
  const file = databaseFile(dataDir);
  try {
    if (!isThere(file)) {
      return { state: 'missing', lost: tracesOfDatabase(dataDir).length > 0 };
    }
    if (sizeOf(file) === 0) return { state: 'unusable', reason: `${file} is empty` };
    return reading(file, (db) => {
      const schema = schemaOf(db);
      const newest = newestSchema();
      if (!isOurs(db) && !isBlank(db)) {
        return { state: 'unusable', reason: `${file} is a database of another program` };
      }
      return {
        state: 'readable',
        schema,
        newestSchema: newest,
        // The size of the file would omit the pages that are still in the log.
        bytes: databaseBytes(db),
        walBytes: sizeOf(`${file}-wal`),
        content: schema === newest ? contentOf(db, dataDir, now) : null,
      };
    });
  } catch (error) {
    return { state: 'unusable', reason: messageOf(error) };
  }
}

function databaseBytes(db: Database.Database): number {
  const pages = db.pragma('page_count', { simple: true }) as number;
  return pages * (db.pragma('page_size', { simple: true }) as number);
}

function contentOf(db: Database.Database, dataDir: string, now: number): ContentFacts {
  const { indexLag: _, ...queue } = readStats(db, false, now);
  return {
    events: countEvents(db),
    newestEventAt: newestEventAt(db),
    secretCheck: secretCheckOf(db),
    queue,
    refusing: refusingOf(db.prepare<[], FlowingDestinationRow>(FLOWING_DESTINATIONS).all()),
    index: inspectIndex(db, searchFile(dataDir)),
  };
}

function inspectIndex(db: Database.Database, file: string): ContentFacts['index'] {
  const generation = readGeneration(db);
  // Don't use the last number given out. Its event may be deleted, and then the index never reaches
  // it.
  const newest = (db.prepare('SELECT max(seq) FROM event_contents').pluck().get() ?? 0) as number;
  if (sizeOf(file) === 0) return { state: 'missing', lag: newest };
  try {
    return reading(file, (index) => {
      if (!isIndexOf(index, generation)) return { state: 'stale', lag: newest };
      const watermark = index.prepare<[], number>('SELECT watermark FROM state').pluck().get() ?? 0;
      // Blocks are read first. So every event read afterwards must be in a block, if it isn't
      // newer.
      const blocks = index
        .prepare(`SELECT first, last FROM blocks b
          WHERE EXISTS (SELECT 1 FROM grams_docsize d WHERE d.id = b.last)`)
        .all();
      const lacking = db
        .prepare<[number, string], number>(`
          SELECT (SELECT count(*) FROM event_contents WHERE seq <= ?)
            - (SELECT count(*) FROM json_each(?) j CROSS JOIN event_contents c
              ON c.seq BETWEEN j.value ->> 'first' AND j.value ->> 'last')`)
        .pluck()
        .get(watermark, JSON.stringify(blocks)) as number;
      return { state: 'current', lag: Math.max(0, newest - watermark), lacking };
    });
  } catch {
    return { state: 'unusable', lag: newest };
  }
}

/** Counts references to missing rows. SQLite's own check doesn't find them. */
function danglingReferences(db: Database.Database): string[] {
  const rows = db
    .prepare<[number], { child: string; parent: string; count: number }>(`
      SELECT "table" AS child, parent, count(*) AS count FROM pragma_foreign_key_check
      GROUP BY 1, 2 LIMIT ?`)
    .all(MAX_PROBLEMS);
  return rows.map(
    ({ child, parent, count }) => `${count} rows of ${child} refer to missing rows of ${parent}`,
  );
}

/** Lists compressed bodies that can't be decompressed or that have a wrong checksum. */
function damagedBodies(db: Database.Database): string[] {
  if (schemaOf(db) < COMPRESSED_SINCE_SCHEMA) return [];
  const rows = db.prepare<[], StoredBody & { id: string }>(`
    SELECT e.id, c.body, c.uncompressed_size
    FROM event_contents c
    JOIN events e ON e.endpoint_key = c.endpoint_key AND e.seq = c.seq
    WHERE c.uncompressed_size NOTNULL`);
  const problems: string[] = [];
  for (const row of rows.iterate()) {
    const body = readableBody(row);
    if (body) freeMemory(body);
    else problems.push(`the stored body of event ${row.id} is damaged`);
    if (problems.length === MAX_PROBLEMS) break;
  }
  return problems;
}

/**
 * Reads a database without changing it. Usually the connection is writable, because a read-only
 * connection leaves its side files behind. After a crash it is read-only, because a writable one
 * would write the remaining log into the database.
 */
function reading<T>(file: string, read: (db: Database.Database) => T): T {
  const readonly = sizeOf(`${file}-wal`) > 0 || !isWritable(file);
  const db = new Database(file, { readonly, fileMustExist: true });
  try {
    db.pragma('query_only = ON');
    db.pragma('trusted_schema = OFF');
    return read(db);
  } finally {
    db.close();
  }
}

function filesIn(dataDir: string, uid: number): StoredFile[] {
  const entries = attempt(() => readdirSync(dataDir, { withFileTypes: true })) ?? [];
  return entries
    .filter((entry) => entry.isFile())
    .flatMap((entry) => describe(join(dataDir, entry.name), uid) ?? [])
    .map(withoutUid);
}

function describe(path: string, ownerUid: number | null): (StoredFile & { uid: number }) | null {
  const stats = attempt(() => statSync(path));
  if (!stats) return null;
  return {
    path,
    mode: process.platform === 'win32' ? null : stats.mode & 0o777,
    usable: isWritable(path),
    ownerMatches: ownerUid === null || stats.uid === ownerUid,
    uid: stats.uid,
  };
}

function withoutUid({ uid: _, ...file }: StoredFile & { uid: number }): StoredFile {
  return file;
}

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.R_OK | constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

function sqliteVersion(): string {
  const db = new Database(':memory:');
  try {
    return db.prepare('SELECT sqlite_version()').pluck().get() as string;
  } finally {
    db.close();
  }
}

/** Returns null if the system refuses the call. Other parts of the inspection show why. */
function attempt<T>(look: () => T): T | null {
  try {
    return look();
  } catch {
    return null;
  }
}

function messageOf(error: unknown): string {
  if (error instanceof HookrelayError) return error.message;
  return error instanceof Error ? error.message : String(error);
}
