import type { Database } from 'better-sqlite3';
import { triggerOf } from '../../shared/codes.ts';
import {
  type MovedChunk,
  type MovedKind,
  type MovedRow,
  type MovedSequence,
  type MovedTable,
  type MovedValue,
  type MoveSource,
  valueIn,
} from '../../shared/moved-tables.ts';
import { type HeaderSource, unpackHeaders } from '../deliveries/packed-headers.ts';
import { ofSettled } from '../deliveries/settled-deliveries.ts';
import { receivedBody, type StoredBody } from '../events/stored-body.ts';
import { databaseFile, isThere } from '../files/data-files.ts';
import type { DataLock } from '../files/data-lock.ts';
import { readGeneration } from '../files/generation.ts';
import { migrateFile, openPresent } from './admin-connection.ts';
import { noData, takeDataDir } from './admin-lock.ts';
import { secretCheckOf } from './inspect.ts';

/** The bounds of a chunk. The target inserts each chunk in one transaction. */
const CHUNK_ROWS = 2000;
const CHUNK_BYTES = 8 * 1024 * 1024;

/**
 * Opens a data directory as the source of a move. Upgrades the schema, and locks the directory
 * until `close`. Throws `data_dir_locked` while a server runs on the directory.
 */
export function openMoveSource(dataDir: string): SqliteMoveSource {
  const lock = takeDataDir(dataDir, { make: false });
  try {
    if (!isThere(databaseFile(dataDir))) throw noData(dataDir);
    migrateFile(dataDir);
    return new SqliteMoveSource(openPresent(dataDir), lock);
  } catch (error) {
    lock.release();
    throw error;
  }
}

export class SqliteMoveSource implements MoveSource {
  readonly generation: string;
  readonly secretCheck: string | null;
  readonly #db: Database;
  readonly #lock: DataLock;

  constructor(db: Database, lock: DataLock) {
    this.#db = db;
    this.#lock = lock;
    db.function('received_body', { directOnly: true }, (body, uncompressed_size) =>
      receivedBody({ body, uncompressed_size } as StoredBody),
    );
    db.function('sent_headers', { directOnly: true }, sentHeaders);
    this.generation = readGeneration(db) ?? '';
    this.secretCheck = secretCheckOf(db);
  }

  count({ name }: MovedTable): number {
    const counts = rowsOf(name, (table) => `SELECT count(*) AS n FROM ${table}`);
    return this.#db.prepare(`SELECT sum(n) FROM (${counts})`).pluck().get() as number;
  }

  chunk({ name, key, columns }: MovedTable, after: readonly MovedValue[] | null): MovedChunk {
    const read = Object.keys(columns).map((column) => EXPRESSIONS[`${name}.${column}`] ?? column);
    const marks = key.map((column) => `@${column}`).join(', ');
    const where = after ? `WHERE (${key.join(', ')}) > (${marks})` : '';
    const rows: MovedRow[] = [];
    let bytes = 0;
    const select = (table: string) => `SELECT ${read.join(', ')} FROM ${table} ${where}`;
    const stored = this.#db.prepare<[object], MovedRow>(
      `${rowsOf(name, select)} ORDER BY ${key.join(', ')} LIMIT ${CHUNK_ROWS}`,
    );
    const last = Object.fromEntries((after ?? []).map((value, i) => [key[i], value]));
    for (const values of stored.iterate(last)) {
      const row = Object.fromEntries(
        Object.entries(columns).map(([column, kind]) => [
          column,
          moved(valueIn(values, column), kind),
        ]),
      );
      rows.push(row);
      for (const value of Object.values(row))
        bytes += typeof value === 'object' ? (value?.length ?? 0) : 0;
      if (bytes >= CHUNK_BYTES) break;
    }
    const isEnd = rows.length < CHUNK_ROWS && bytes < CHUNK_BYTES;
    const end = rows.at(-1);
    return {
      rows,
      next: isEnd || !end ? null : key.map((column) => valueIn(end, column)),
    };
  }

  lastNumber(sequence: MovedSequence): number {
    return (this.#db
      .prepare('SELECT seq FROM sqlite_sequence WHERE name = ?')
      .pluck()
      .get(sequence) ?? 0) as number;
  }

  close(): void {
    this.#db.close();
    this.#lock.release();
  }
}

/** Returns a query for the rows of a table. SQLite has settled deliveries in two tables. */
function rowsOf(table: string, select: (table: string) => string): string {
  return table === 'deliveries' ? ofSettled(select) : select(table);
}

/** The SQL that reads columns whose stored form only SQLite has. */
const EXPRESSIONS: Readonly<Record<string, string>> = {
  'event_contents.body': 'received_body(body, uncompressed_size) AS body',
  'attempts.request_headers': `iif(request_headers IS NULL, NULL, (
    SELECT sent_headers(request_headers, json_object('eventId', e.id, 'deliveryId', delivery_id,
      'destinationUrl', destination_url, 'trigger', trigger, 'attemptedAt', attempted_at,
      'captured', json(c.headers), 'size', e.size))
    FROM events e JOIN event_contents c ON c.seq = e.seq
    WHERE e.endpoint_key = attempts.endpoint_key AND e.seq = event_seq)) AS request_headers`,
};

/** @param source JSON, a `HeaderSource` with the code of its trigger */
function sentHeaders(packed: unknown, source: unknown): string {
  const parsed = () => {
    const read = JSON.parse(source as string) as Omit<HeaderSource, 'trigger'> & {
      trigger: number;
    };
    return { ...read, trigger: triggerOf(read.trigger) };
  };
  return JSON.stringify(unpackHeaders(packed as string, parsed));
}

/** Converts a value to a form that both databases can store. PostgreSQL's text has no NUL. */
function moved(value: MovedValue, kind: MovedKind): MovedValue {
  if (value === null) return null;
  if (kind === 'utf8') return Buffer.from(value as string);
  if (kind === 'text') return (value as string).replaceAll('\0', '\ufffd');
  return value;
}
