import { statSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import type { Database } from 'better-sqlite3';
import type { RuleSource } from '../../../core/rules/rule.ts';
import type { EventFilter, EventPage, HourWindow, RuleTrial } from '../../contract/events.ts';
import type { Scope } from '../../contract/live.ts';
import { noEvents } from '../../shared/activity.ts';
import { openAnother } from '../files/database.ts';
import { WalThrottle } from '../files/wal-throttle.ts';
import { isIndexOf } from '../search/search-index.ts';
import '../thread/load-sqlite.ts';
import { attemptActivity, eventActivity } from './activity.ts';
import {
  countEvents,
  endpointExists,
  matchingSeqs,
  pageOfEvents,
  summariesOf,
} from './event-query.ts';
import { attemptsAfter, eventsAfter, sequencesAt } from './live-query.ts';
import { prepareForSearch, type SearchRequest, search } from './search.ts';
import { readStats, type SqliteStats } from './stats.ts';

/**
 * The thread for reads that may take long: lists, counts, searches. It has its own
 * connections, so that the writer's thread never waits for it. Searches take turns,
 * slice by slice.
 */

export interface ReaderData {
  file: string;
  searchFile: string;
  generation: string;
  /** The port of the thread that sends requests, where another one started this thread. */
  port?: MessagePort;
}

export type ReaderRequest =
  | {
      op: 'page';
      scope: Scope;
      filter: EventFilter;
      window: { offset: number; limit: number };
    }
  | { op: 'tryRules'; endpointKey: number; trial: RuleTrial }
  | { op: 'look'; seqs: readonly number[]; where: RuleSource | null }
  | { op: 'count'; endpointKey: number; filter: EventFilter }
  | {
      op: 'matching';
      endpointKey: number;
      filter: EventFilter;
      upTo: number;
      limit: number;
    }
  | { op: 'eventActivity'; endpointKey: number; window: HourWindow }
  | { op: 'attemptActivity'; endpointKey: number; window: HourWindow }
  | { op: 'sequencesAt'; scope: Scope; time: number }
  | { op: 'eventsAfter' | 'attemptsAfter'; scope: Scope; seq: number; limit: number }
  | { op: 'stats'; now: number };

export type ReaderMessage = { id: number; request: ReaderRequest } | { id: number; cancel: true };
export type ReaderAnswer =
  | { id: number; value: unknown }
  | { id: number; error: string }
  | { brokenIndex: number };

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
  read: (db: Database, indexed: boolean) => Generator<void, T>,
): Promise<T> {
  const db = idle.pop() ?? openConnection();
  try {
    const indexed = hasIndex(db);
    db.exec('BEGIN');
    // A snapshot begins with the first read: these reads begin those of both files.
    db.prepare('SELECT count(*) FROM meta').get();
    if (indexed) db.prepare('SELECT count(*) FROM idx.state').get();
    const steps = read(db, indexed);
    for (;;) {
      const step = steps.next();
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

function* answerTo(
  db: Database,
  hasIndex: boolean,
  request: ReaderRequest,
): Generator<void, unknown> {
  const indexed = hasIndex ? { onBroken: () => onBrokenIndex(db) } : null;
  if ('endpointKey' in request && !endpointExists(db, request.endpointKey))
    return nothingFor(request);
  switch (request.op) {
    case 'eventActivity':
      return eventActivity(db, request.endpointKey, request.window);
    case 'attemptActivity':
      return yield* attemptActivity(db, request.endpointKey, request.window);
    case 'page': {
      const { scope, filter, window } = request;
      const [endpointKey = 0] = 'endpointKeys' in scope ? scope.endpointKeys : [];
      if (!endpointExists(db, endpointKey)) return { events: [], total: 0 };
      const { q, ...rowFilter } = filter;
      if (q === undefined) return pageOfEvents(db, endpointKey, rowFilter, window);
      const { offset, limit } = window;
      const all = everyMatch(endpointKey, { ...filter, q }, offset + limit);
      const { seqs, total } = yield* search(db, all, indexed);
      const events = summariesOf(db, endpointKey, seqs.slice(offset));
      return { events, total } satisfies EventPage;
    }
    case 'count': {
      const { q, ...rowFilter } = request.filter;
      if (q === undefined) return countEvents(db, request.endpointKey, rowFilter);
      const all = everyMatch(request.endpointKey, { ...request.filter, q }, 0);
      return (yield* search(db, all, indexed)).total;
    }
    case 'matching': {
      const { endpointKey, filter, upTo, limit } = request;
      const { q, ...rowFilter } = filter;
      if (q === undefined) return matchingSeqs(db, endpointKey, rowFilter, upTo, limit);
      const newest = { endpointKey, filter: { ...filter, q }, upTo, limit, keep: limit };
      return (yield* search(db, newest, indexed)).seqs;
    }
    case 'tryRules':
    case 'look':
      throw new Error('not yet');
    case 'sequencesAt':
      return yield* sequencesAt(db, request.scope, request.time);
    case 'eventsAfter':
      return yield* eventsAfter(db, request.scope, request.seq, request.limit);
    case 'attemptsAfter':
      return attemptsAfter(db, request.scope, request.seq, request.limit);
    case 'stats':
      return readStats(db, hasIndex, request.now) satisfies SqliteStats;
  }
}

/** The answer for an endpoint that is gone. */
function nothingFor(request: Extract<ReaderRequest, { endpointKey: number }>): unknown {
  switch (request.op) {
    case 'tryRules':
    case 'count':
      return 0;
    case 'eventActivity':
      return noEvents(request.window.hours);
    case 'matching':
    case 'attemptActivity':
      return [];
  }
}

function everyMatch(
  endpointKey: number,
  filter: EventFilter & { q: string },
  keep: number,
): SearchRequest {
  const everything = Number.MAX_SAFE_INTEGER;
  return { endpointKey, filter, upTo: everything, limit: everything, keep };
}

port.on('message', async (message: ReaderMessage) => {
  const { id } = message;
  if ('cancel' in message) {
    if (running.has(id)) cancelled.add(id);
    return;
  }
  running.add(id);
  let answer: ReaderAnswer;
  try {
    answer = {
      id,
      value: await inSnapshot(id, (db, indexed) => answerTo(db, indexed, message.request)),
    };
  } catch (error) {
    answer = {
      id,
      error: error instanceof Error ? (error.stack ?? error.message) : String(error),
    };
  }
  running.delete(id);
  cancelled.delete(id);
  port.postMessage(answer);
});
