import { randomUUID } from 'node:crypto';
import { statSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';
import type { Database } from 'better-sqlite3';
import { HookrelayError } from '../../core/errors.ts';
import { makeDirectory } from '../../core/runtime/make-directory.ts';
import { removeAbandoned } from '../../core/runtime/partial-file.ts';
import type { Logger, WakingClock } from '../../core/runtime/runtime.ts';
import type { CpuCharges } from '../../core/turns/cpu-use.ts';
import type { Store } from '../contract/store.ts';
import { sqliteAccounts } from './accounts/accounts.ts';
import { sqliteApiTokens } from './accounts/api-tokens.ts';
import { sqliteAudit } from './accounts/audit.ts';
import { secretCheckOf } from './administration/inspect.ts';
import { Captures } from './capture/captures.ts';
import { SqliteDeliveries } from './deliveries/deliveries.ts';
import { SqliteDestinations } from './destinations/destinations.ts';
import { SqliteEndpoints } from './endpoints/endpoints.ts';
import { SqliteEvents } from './events/events.ts';
import { databaseFile, searchFile, sizeOf } from './files/data-files.ts';
import { type DataLock, lockDataDir } from './files/data-lock.ts';
import { openDatabase } from './files/database.ts';
import { diskSpace } from './files/disk-space.ts';
import { readGeneration } from './files/generation.ts';
import { type DatabaseRoom, Headroom } from './files/headroom.ts';
import { createIfNew, tracesOfDatabase } from './files/lost-database.ts';
import { migrate, refuseUnknownSchema } from './files/migrate.ts';
import { WalWatch } from './files/wal-watch.ts';
import { Writer } from './files/writer.ts';
import { sqliteChannels } from './issues/channels.ts';
import { sqliteIssues } from './issues/issues.ts';
import { SqliteLive } from './live/live.ts';
import { AttemptNumbers } from './queue/attempt-numbers.ts';
import { Claims } from './queue/claims.ts';
import { SqliteQueue } from './queue/queue.ts';
import { Rounds } from './queue/rounds.ts';
import { StoppedJobs } from './queue/stopped-jobs.ts';
import { ReadingThreads } from './reader-thread/reader.ts';
import type { Reads } from './reader-thread/reads.ts';
import { SqliteRejected } from './rejected/rejected.ts';
import { sqliteReplays } from './replays/replays.ts';
import { Indexer } from './search-index/indexer.ts';
import { removeIndexAhead, tidySearchIndex } from './search-index/search-index.ts';
import { type StartWorker, startWorker } from './threads/start-worker.ts';
import { sqliteTypes } from './types/types.ts';
import { EventDeletion } from './upkeep/event-deletion.ts';
import { SqliteUpkeep } from './upkeep/upkeep.ts';

export interface SqliteStoreOptions {
  dataDir: string;
  clock: WakingClock;
  log: Logger;
  /** Called after a failed fsync. End the process then, because commits may be lost. */
  onFatal: (error: Error) => void;
  /** Starts the thread of the indexer. Default: `startWorker`. */
  startWorker?: StartWorker;
  /** Runs the reads. Needed if another thread has the reader. */
  reader?: Pick<ReadingThreads, 'reads' | 'close'>;
  /** Charges accounts for the CPU time of their searches. */
  cpu?: CpuCharges;
  /** Called with the deliveries whose claims somebody other than their holder ended. */
  onClaimsDropped?: (deliveryIds: string[]) => void;
}

/**
 * Opens the store in a data directory and upgrades its schema. Creates a missing directory or
 * database.
 *
 * Throws `data_dir_unusable`, `data_dir_locked`, `database_missing`, `database_unusable`,
 * `schema_newer`.
 */
export async function openSqliteStore(options: SqliteStoreOptions): Promise<SqliteStore> {
  // SQLite creates its files with the process's umask, and they contain everyone's payloads. A
  // worker can't set the umask, so its main thread does.
  if (isMainThread) process.umask(0o077);
  makeDataDir(options);
  const traces = tracesOfDatabase(options.dataDir);
  const lock = lockDataDir(options.dataDir);
  let db: Database | undefined;
  try {
    const file = databaseFile(options.dataDir);
    createIfNew(options.dataDir, traces);
    db = openDatabase(file, { inspect: (opened) => refuseUnknownSchema(opened) });
    migrate(db, options.log);
    // A killed restore leaves a file as large as a database. Captures need that space.
    removeAbandoned(options.dataDir);
    // Keeps the statement journal in memory. Otherwise SQLite writes a journal of more than 64 KiB
    // to a temporary file outside of the data directory.
    db.pragma('temp_store = MEMORY');
    const store = new SqliteStore(options, db, lock);
    await store.headroom.measure();
    return store;
  } catch (error) {
    db?.close();
    lock.release();
    throw error;
  }
}

export class SqliteStore implements Store {
  readonly generation: string;
  readonly history: string;
  readonly accounts: Store['accounts'];
  readonly apiTokens: Store['apiTokens'];
  readonly audit: Store['audit'];
  readonly endpoints: SqliteEndpoints & Reads['endpoints'];
  readonly destinations: SqliteDestinations & Reads['destinations'];
  readonly deliveries: SqliteDeliveries & Reads['deliveries'];
  readonly events: SqliteEvents & Reads['events'];
  readonly rejected: SqliteRejected & Reads['rejected'];
  readonly replays: Store['replays'];
  readonly live: SqliteLive & Reads['live'];
  readonly issues: Store['issues'];
  readonly channels: Store['channels'];
  readonly types: Store['types'];
  readonly queue: SqliteQueue;
  readonly upkeep: SqliteUpkeep;
  readonly stats: Store['stats'];
  readonly indexer: Indexer;
  readonly cluster = null;
  readonly clock: WakingClock;
  readonly headroom: Headroom;
  readonly #file: string;
  readonly #db: Database;
  readonly #lock: DataLock;
  readonly #log: Logger;
  readonly #writer: Writer;
  readonly #attempts: AttemptNumbers;
  readonly #reader: Pick<ReadingThreads, 'close'>;

  constructor(options: SqliteStoreOptions, db: Database, lock: DataLock) {
    this.#db = db;
    this.#lock = lock;
    this.#log = options.log;
    this.#file = databaseFile(options.dataDir);
    this.clock = options.clock;
    this.generation = generationOf(db);
    this.history = this.generation;
    const data = {
      file: this.#file,
      searchFile: searchFile(options.dataDir),
      generation: this.generation,
    };
    const lastSeq = lastSeqOf(db);
    removeIndexAhead(data.searchFile, this.generation, lastSeq);
    const start = options.startWorker ?? startWorker;
    const claims = new Claims(options.onClaimsDropped);
    const walWatch = new WalWatch(() => sizeOf(`${this.#file}-wal`), options.clock, options.log);
    const writer = new Writer(db, options.onFatal, claims, () => walWatch.onCommit());
    const rounds = new Rounds(db, claims);
    const stopped = new StoppedJobs(db);
    const attempts = new AttemptNumbers(db);
    const deletion = new EventDeletion(db, rounds, () => indexer.wake());
    const indexer = new Indexer(data, start, db, writer, options.log);
    // Without events, the first capture starts the thread. The index file must exist even then,
    // because it is a trace of a lost database (lost-database.ts). If it can't be created, the
    // thread starts and logs why.
    if (lastSeq > 0 || !tidySearchIndex(data.searchFile, this.generation)) indexer.start();
    const reader =
      options.reader ??
      new ReadingThreads({
        data,
        startWorker,
        onBrokenIndex: (inode) => indexer.rebuild(inode),
        cpu: options.cpu,
      });
    const { reads } = reader;
    this.#writer = writer;
    this.#attempts = attempts;
    this.#reader = reader;
    this.indexer = indexer;
    this.stats = reads.store.stats;
    this.headroom = new Headroom(
      options.clock,
      () => diskSpace(options.dataDir),
      () => databaseRoom(db, this.#file),
    );
    this.accounts = sqliteAccounts(db, writer);
    this.apiTokens = sqliteApiTokens(db, writer);
    this.audit = sqliteAudit(db, writer);
    this.endpoints = Object.assign(new SqliteEndpoints(db, writer), reads.endpoints);
    const destinations = new SqliteDestinations(db, writer, rounds);
    this.destinations = Object.assign(destinations, reads.destinations);
    const deliveries = new SqliteDeliveries(db, writer, rounds, reads.attempts);
    this.deliveries = Object.assign(deliveries, reads.deliveries);
    const captures = new Captures(db, writer, rounds, this.headroom, indexer);
    this.events = Object.assign(new SqliteEvents(db, writer, captures, deletion), reads.events);
    this.rejected = Object.assign(new SqliteRejected(db), reads.rejected);
    const replays = sqliteReplays({ db, writer, rounds, reads, stopped, log: options.log });
    this.replays = { ...replays, ...reads.replays };
    this.live = Object.assign(new SqliteLive(db, attempts), reads.live);
    this.issues = { ...sqliteIssues(db, writer), ...reads.issues };
    this.channels = sqliteChannels({
      ...{ db, writer, rounds, destinations },
      endpoints: this.endpoints,
    });
    this.types = { ...sqliteTypes(db, writer), ...reads.types };
    this.queue = new SqliteQueue(db, writer, rounds, { claims, stopped, attempts });
    this.upkeep = new SqliteUpkeep(db, writer, rounds, deletion);
  }

  claimSecret(checkValue: string): Promise<boolean> {
    const note = this.#db.prepare(
      "INSERT INTO meta (name, value) VALUES ('secret_check', ?) ON CONFLICT (name) DO NOTHING",
    );
    const noted = this.#db.prepare("SELECT value FROM meta WHERE name = 'secret_check'").pluck();
    return this.#writer.write(() => {
      note.run(checkValue);
      return noted.get() === checkValue;
    });
  }

  async hasSecret(): Promise<boolean> {
    return secretCheckOf(this.#db) !== null;
  }

  async announce(url: string): Promise<void> {
    try {
      this.#lock.announce(url);
    } catch (error) {
      this.#log.warn('the address of this server could not be recorded for local commands', {
        error,
      });
    }
  }

  async checkWritable(): Promise<void> {
    this.headroom.check();
    const touch = this.#db.prepare(`
      INSERT INTO meta (name, value) VALUES ('write_check', '1')
      ON CONFLICT (name) DO UPDATE SET value = 1 - value`);
    await this.#writer.write(() => touch.run());
  }

  async close(): Promise<void> {
    await this.#reader.close();
    await this.indexer.close();
    await this.#writer.settled();
    try {
      this.#attempts.close();
      this.#db.pragma('wal_checkpoint(TRUNCATE)');
    } catch (error) {
      // The disk fails or is read-only. Nothing is lost, because the log on disk has every commit.
      this.#log.warn('the write-ahead log could not be moved; the next start moves it', { error });
    }
    this.#db.close();
    this.#lock.release();
  }
}

function makeDataDir({ dataDir: directory, log }: SqliteStoreOptions): void {
  try {
    makeDirectory(directory);
  } catch (error) {
    throw new HookrelayError('data_dir_unusable', `cannot make ${directory}: ${String(error)}`, {
      hint: 'choose another directory with --data-dir',
      cause: error,
    });
  }
  // Only a warning, because the operator may have chosen a shared directory, such as /tmp.
  const mode = (statSync(directory, { throwIfNoEntry: false })?.mode ?? 0) & 0o777;
  if (process.platform !== 'win32' && (mode & 0o077) !== 0) {
    log.warn('other users of this machine can read the data directory', {
      directory,
      mode: mode.toString(8).padStart(4, '0'),
      hint: `chmod 700 ${directory}`,
    });
  }
}

/** Returns the random id of the database. Creates it if the database has none. */
function generationOf(db: Database): string {
  const make = db.prepare("INSERT OR IGNORE INTO meta (name, value) VALUES ('generation', ?)");
  if (readGeneration(db) === undefined) make.run(randomUUID().replaceAll('-', ''));
  return readGeneration(db) as string;
}

/** Returns the sequence number of the newest event, even if that event is deleted. */
function lastSeqOf(db: Database): number {
  const read = db.prepare("SELECT seq FROM sqlite_sequence WHERE name = 'event_contents'").pluck();
  return (read.get() as number | undefined) ?? 0;
}

function databaseRoom(db: Database, file: string): DatabaseRoom {
  const pageBytes = db.pragma('page_size', { simple: true }) as number;
  const pages = db.pragma('page_count', { simple: true }) as number;
  const freePages = db.pragma('freelist_count', { simple: true }) as number;
  return {
    freePagesBytes: freePages * pageBytes,
    // The page count includes the pages that are still in the log.
    growthBytes: Math.max(0, pages * pageBytes - sizeOf(file)),
  };
}
