import { statSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import type { Database } from 'better-sqlite3';
import { packFailure } from '../../../../core/threads/failure-message.ts';
import type { RejectedPage } from '../../../contract/rejected.ts';
import { noEvents } from '../../../shared/activity.ts';
import type { Matching } from '../../../shared/replay-slice.ts';
import type { JudgedEvents } from '../../../shared/replays/replay-rules.ts';
import { openAnother } from '../../files/database.ts';
import { WalThrottle } from '../../files/wal-throttle.ts';
import { isIndexOf } from '../../search/search-index.ts';
import '../../thread/load-sqlite.ts';
import { attemptActivity, eventActivity } from '../activity.ts';
import { prepareForSearch } from '../content-condition.ts';
import { conditionsOf } from '../deliveries/conditions.ts';
import { listDeliveries } from '../deliveries/delivery-list.ts';
import { endpointExists } from '../event-query.ts';
import { withTypes } from '../event-types.ts';
import { countFound } from '../find-events.ts';
import { readIssues } from '../issues/issue-reads.ts';
import { readOpenIssues } from '../issues/open-issues.ts';
import { judgeForReplay, lookInto, tryRules } from '../judged-events.ts';
import { findUpwards, listEvents } from '../list.ts';
import { attemptsAfter, eventsAfter, sequencesAt } from '../live-query.ts';
import { readOverview } from '../overview/overview.ts';
import { guesses } from '../proof/guesses.ts';
import { newestEvents } from '../proof/newest-events.ts';
import { listRejected } from '../proof/rejected.ts';
import { readStats, type SqliteStats } from '../stats.ts';
import { memoryOfRead, readTypes } from '../types/type-reads.ts';
import { accountOfRead } from './account-of-read.ts';
import type { ReaderAnswer, ReaderData, ReaderMessage, ReaderRequest } from './reader-messages.ts';

/**
 * The thread for reads that may take long: lists, counts, searches. It has its own
 * connections, so that the writer's thread never waits for it. Searches take turns,
 * slice by slice.
 */

/** CPU of a read that is reported together, ms. */
const REPORTED_MS = 50;

/** Page cache of each connection and file, KiB. */
const CACHE_KIB = 2048;

const { file, searchFile, generation, port = parentPort as MessagePort } = workerData as ReaderData;
const walThrottle = new WalThrottle(file);
const idle: Database[] = [];
const cancelled = new Set<number>();
const running = new Set<number>();

function openConnection(): Database {
  const db = openAnother(file, { readonly: true, cacheKib: CACHE_KIB });
  prepareForSearch(db);
  return db;
}

/** The inode of the index file that each connection has attached: a rebuild replaces the file. */
const attached = new WeakMap<Database, number>();

/** Attaches the current index file. False while no index can be used. */
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
    return isIndexOf(db, generation, 'idx');
  } catch {
    return false;
  }
}

/** Reports a broken index. Without it reads scan, which only costs time. */
function onBrokenIndex(db: Database): void {
  const brokenIndex = attached.get(db);
  if (brokenIndex !== undefined) port.postMessage({ brokenIndex } satisfies ReaderAnswer);
}

/**
 * Runs `read` on its own connection, in one read transaction. While the write-ahead log
 * must shrink, each step has its own transaction; only the first then uses the index.
 */
async function inSnapshot<T>(
  id: number,
  request: ReaderRequest,
  read: (db: Database, indexed: boolean) => Generator<void, T>,
): Promise<T> {
  const db = idle.pop() ?? openConnection();
  try {
    const indexed = hasIndex(db);
    db.exec('BEGIN');
    // A snapshot begins with the first read: these reads begin those of both files.
    db.prepare('SELECT count(*) FROM meta').get();
    if (indexed) db.prepare('SELECT count(*) FROM idx.state').get();
    const meter = meterOf(accountOfRead(db, request));
    const steps = read(db, indexed);
    for (;;) {
      const step = meter(() => steps.next());
      if (step.done) return step.value;
      if (walThrottle.isNeeded()) {
        db.exec('ROLLBACK');
        await walThrottle.made();
        db.exec('BEGIN');
      } else await setImmediate();
      if (cancelled.has(id)) throw new Error('cancelled');
    }
  } finally {
    if (db.inTransaction) db.exec('ROLLBACK');
    idle.push(db);
  }
}

/** Runs steps of a read, and reports the CPU that they take where an account is charged. */
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
        port.postMessage({ account, cpuMs } satisfies ReaderAnswer);
        cpuMs = 0;
      }
    }
  };
}

function* answerTo(
  db: Database,
  hasIndex: boolean,
  request: ReaderRequest,
): Generator<void, unknown> {
  const index = hasIndex ? { onBroken: () => onBrokenIndex(db) } : null;
  if ('endpointKey' in request && !endpointExists(db, request.endpointKey))
    return nothingFor(request);
  switch (request.op) {
    case 'eventActivity':
      return eventActivity(db, request.endpointKey, request.window);
    case 'attemptActivity':
      return yield* attemptActivity(db, request.endpointKey, request.window);
    case 'page':
      return yield* listEvents(db, index, request.scope, request.filter, request.window);
    case 'count':
      return yield* countFound(db, index, request.endpointKey, request.filter);
    case 'matching': {
      const { endpointKey, filter, range } = request;
      return yield* findUpwards(db, index, endpointKey, filter, range);
    }
    case 'judge':
      return yield* judgeForReplay(db, request.seqs, request.rules, request.forMs);
    case 'tryRules':
      return yield* tryRules(db, request.endpointKey, request.trial);
    case 'newest':
      return yield* newestEvents(db, request.endpointKey, request.before, request.limits);
    case 'rejected':
      return listRejected(db, request.endpointKey, request.window);
    case 'guesses':
      return yield* guesses(db, request.keys);
    case 'look':
      return yield* lookInto(db, request.seqs, request.where);
    case 'overview':
      return yield* readOverview(db, request.scope, request.window);
    case 'conditions':
      return yield* conditionsOf(db, request.endpointKey, request.destinationId);
    case 'deliveries':
      return yield* listDeliveries(db, request.endpointKey, request.filter, request.window);
    case 'sequencesAt':
      return yield* sequencesAt(db, request.scope, request.time);
    case 'eventsAfter':
      return yield* withTypes(
        db,
        yield* eventsAfter(db, request.scope, request.seq, request.limit),
      );
    case 'attemptsAfter':
      return attemptsAfter(db, request.scope, request.seq, request.limit);
    case 'issues':
      return yield* readIssues(db, request.read);
    case 'types':
      return yield* readTypes(db, request.read);
    case 'stats':
      return {
        ...readStats(db, hasIndex, request.now),
        openIssues: readOpenIssues(db),
      } satisfies SqliteStats;
  }
}

/** The answer for an endpoint that is gone. */
function nothingFor(request: Extract<ReaderRequest, { endpointKey: number }>): unknown {
  switch (request.op) {
    case 'count':
      return 0;
    case 'eventActivity':
      return noEvents(request.window.hours);
    case 'tryRules':
    case 'attemptActivity':
    case 'conditions':
    case 'newest':
      return [];
    case 'deliveries':
      return { deliveries: [], total: 0 };
    case 'rejected':
      return { rejected: [], total: 0 } satisfies RejectedPage;
    case 'matching':
      return { seqs: [], resumeAfter: null } satisfies Matching;
    case 'judge':
      return { verdicts: [], resumeAfter: null } satisfies JudgedEvents;
  }
}

port.on('message', async (message: ReaderMessage) => {
  const { id } = message;
  if ('cancel' in message) {
    if (running.has(id)) cancelled.add(id);
    return;
  }
  running.add(id);
  const { request } = message;
  let answer: ReaderAnswer;
  let handedOver: ArrayBuffer[] = [];
  try {
    const value = await inSnapshot(id, request, (db, indexed) => answerTo(db, indexed, request));
    answer = { id, value };
    if (request.op === 'types') handedOver = memoryOfRead(request.read, value);
  } catch (error) {
    answer = { id, failure: packFailure(error) };
  }
  running.delete(id);
  cancelled.delete(id);
  port.postMessage(answer, handedOver);
});
