import { statSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import type { Database } from 'better-sqlite3';
import type { RuleSource } from '../../../core/rules/rule.ts';
import type { DestinationFilter } from '../../../core/rules/verdict.ts';
import { type FailureMessage, packFailure } from '../../../core/threads/failure-message.ts';
import type { DeliveryFilter, DeliveryWindow } from '../../contract/deliveries.ts';
import type {
  EventFilter,
  HourWindow,
  ListWindow,
  OverviewWindow,
  RuleTrial,
} from '../../contract/events.ts';
import type { RejectedPage, RejectedWindow } from '../../contract/rejected.ts';
import type { Scope } from '../../contract/scope.ts';
import { noEvents } from '../../shared/activity.ts';
import type { Matching } from '../../shared/replay-slice.ts';
import type { JudgedEvents } from '../../shared/replays/replay-rules.ts';
import { openAnother } from '../files/database.ts';
import { WalThrottle } from '../files/wal-throttle.ts';
import { isIndexOf } from '../search/search-index.ts';
import '../thread/load-sqlite.ts';
import { attemptActivity, eventActivity } from './activity.ts';
import { prepareForSearch } from './content-condition.ts';
import { conditionsOf } from './deliveries/conditions.ts';
import { listDeliveries } from './deliveries/delivery-list.ts';
import { endpointExists } from './event-query.ts';
import { withTypes } from './event-types.ts';
import { type IssueRead, readIssues } from './issues/issue-reads.ts';
import { readOpenIssues } from './issues/open-issues.ts';
import { judgeForReplay, lookInto, tryRules } from './judged-events.ts';
import { findEvents, findUpwards, listEvents, type UpwardRange } from './list.ts';
import { attemptsAfter, eventsAfter, sequencesAt } from './live-query.ts';
import { readOverview } from './overview/overview.ts';
import { guesses } from './proof/guesses.ts';
import { newestEvents } from './proof/newest-events.ts';
import { listRejected } from './proof/rejected.ts';
import { readStats, type SqliteStats } from './stats.ts';
import { memoryOfRead, readTypes, type TypeRead } from './types/type-reads.ts';

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
      window: ListWindow;
    }
  | { op: 'tryRules'; endpointKey: number; trial: RuleTrial }
  | { op: 'look'; seqs: readonly number[]; where: RuleSource | null }
  | { op: 'count'; endpointKey: number; filter: EventFilter }
  | {
      op: 'matching';
      endpointKey: number;
      filter: EventFilter;
      range: UpwardRange;
    }
  | {
      op: 'judge';
      endpointKey: number;
      seqs: readonly number[];
      rules: readonly DestinationFilter[];
      forMs: number;
    }
  | {
      op: 'newest';
      endpointKey: number;
      before: number | null;
      limits: { most: number; bytes: number };
    }
  | { op: 'rejected'; endpointKey: number; window: RejectedWindow }
  | { op: 'guesses'; keys: readonly number[] }
  | { op: 'eventActivity'; endpointKey: number; window: HourWindow }
  | { op: 'attemptActivity'; endpointKey: number; window: HourWindow }
  | { op: 'overview'; scope: Scope; window: OverviewWindow }
  | { op: 'conditions'; endpointKey: number; destinationId: string | null }
  | { op: 'deliveries'; endpointKey: number; filter: DeliveryFilter; window: DeliveryWindow }
  | { op: 'sequencesAt'; scope: Scope; time: number }
  | { op: 'eventsAfter' | 'attemptsAfter'; scope: Scope; seq: number; limit: number }
  | { op: 'issues'; read: IssueRead }
  | { op: 'types'; read: TypeRead }
  | { op: 'stats'; now: number };

export type ReaderMessage = { id: number; request: ReaderRequest } | { id: number; cancel: true };
export type ReaderAnswer =
  | { id: number; value: unknown }
  | { id: number; failure: FailureMessage }
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
    case 'count': {
      const found = findEvents(db, index, [request.endpointKey], request.filter, { keep: 0 });
      return (yield* found).total;
    }
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
    const value = await inSnapshot(id, (db, indexed) => answerTo(db, indexed, request));
    answer = { id, value };
    if (request.op === 'types') handedOver = memoryOfRead(request.read, value);
  } catch (error) {
    answer = { id, failure: packFailure(error) };
  }
  running.delete(id);
  cancelled.delete(id);
  port.postMessage(answer, handedOver);
});
