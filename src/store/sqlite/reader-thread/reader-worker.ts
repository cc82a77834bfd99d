import { statSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { types } from 'node:util';
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import type { Database } from 'better-sqlite3';
import { Crossing, withoutSignal } from '../../../core/threads/crossing.ts';
import { openAnother } from '../files/database.ts';
import { readGeneration } from '../files/generation.ts';
import { WalThrottle } from '../files/wal-throttle.ts';
import { isIndexOf } from '../search-index/search-index.ts';
import '../threads/load-sqlite.ts';
import { endpointExists } from '../events/event-query.ts';
import { prepareForSearch } from '../search/content-condition.ts';
import type { ReaderData, ReaderReports } from './reader-thread.ts';
import { type AnyRead, eachRead, READS, type Reads } from './reads.ts';

/**
 * The thread for long reads: lists, counts and searches. It has its own connections, so the
 * writer's thread never waits for it. Searches run slice by slice and take turns.
 */

/** The CPU time after which a read reports it, ms. */
const REPORTED_MS = 50;

/** Page cache of each connection and file, KiB. */
const CACHE_KIB = 2048;

const { file, searchFile } = workerData as ReaderData;
const crossing = new Crossing<ReaderReports, Reads>(parentPort as MessagePort, {});
const walThrottle = new WalThrottle(file);
const idle: Database[] = [];

function openConnection(): Database {
  const db = openAnother(file, { readonly: true, cacheKib: CACHE_KIB });
  prepareForSearch(db);
  return db;
}

/** The inode of the index file that each connection has attached. A rebuild replaces the file. */
const attached = new WeakMap<Database, number>();

/** Attaches the current index file. Returns false if there is no usable index. */
function hasIndex(db: Database): boolean {
  const inode = statSync(searchFile, { throwIfNoEntry: false })?.ino;
  try {
    if (attached.get(db) !== inode) {
      if (attached.delete(db)) db.exec('DETACH idx');
      if (inode === undefined) return false;
      db.prepare('ATTACH ? AS idx').run(searchFile);
      attached.set(db, inode);
      db.pragma(`idx.cache_size = -${CACHE_KIB}`);
    }
    return isIndexOf(db, readGeneration(db), 'idx');
  } catch {
    return false;
  }
}

/** Reports a broken index. Without an index, a read scans the events and only takes longer. */
function onBrokenIndex(db: Database): void {
  const brokenIndex = attached.get(db);
  if (brokenIndex !== undefined) crossing.tell.reports.brokenIndex(brokenIndex);
}

/**
 * Runs a read on its own connection, in one read transaction. While the write-ahead log must
 * shrink, each step has its own transaction, and only the first step uses the index.
 */
async function inSnapshot(read: AnyRead, args: unknown[], signal?: AbortSignal): Promise<unknown> {
  const db = idle.pop() ?? openConnection();
  try {
    const indexed = hasIndex(db);
    db.exec('BEGIN');
    // A file's snapshot begins at its first read, so both files are read here.
    db.prepare('SELECT count(*) FROM meta').get();
    if (indexed) db.prepare('SELECT count(*) FROM idx.state').get();
    const meter = meterOf(read.owner?.(db, ...args) ?? null);
    const steps = stepsOf(db, indexed, read, args);
    for (;;) {
      const step = meter(() => steps.next());
      if (step.done) return step.value;
      if (walThrottle.isNeeded()) {
        db.exec('ROLLBACK');
        await walThrottle.made();
        db.exec('BEGIN');
      } else await setImmediate();
      signal?.throwIfAborted();
    }
  } finally {
    if (db.inTransaction) db.exec('ROLLBACK');
    idle.push(db);
  }
}

/** Returns a function that runs the steps of a read and charges the account for their CPU time. */
function meterOf(account: string | null): <T>(step: () => T) => T {
  if (account === null) return (step) => step();
  let cpuMs = 0;
  return (step) => {
    const before = process.threadCpuUsage();
    let isOver = true;
    try {
      const taken = step();
      isOver = (taken as IteratorResult<unknown>).done === true;
      return taken;
    } finally {
      const { user, system } = process.threadCpuUsage(before);
      cpuMs += (user + system) / 1000;
      if (isOver || cpuMs >= REPORTED_MS) {
        crossing.tell.reports.charge(account, cpuMs);
        cpuMs = 0;
      }
    }
  };
}

function* stepsOf(db: Database, isIndexed: boolean, read: AnyRead, args: unknown[]) {
  if (read.ifGone && !endpointExists(db, args[0] as number)) return read.ifGone(...args);
  const index = isIndexed ? { onBroken: () => onBrokenIndex(db) } : null;
  const answer = read.run({ db, index }, ...args);
  return types.isGeneratorObject(answer) ? yield* answer as Generator<void, unknown> : answer;
}

crossing.serve(
  eachRead((read, args) => inSnapshot(read, ...withoutSignal(args))),
  READS,
);
