import type { Database } from 'better-sqlite3';
import type { DestinationFilter } from '../../../core/rules/verdict.ts';
import type { AnswerOf, SentArguments, Way } from '../../../core/threads/crossing.ts';
import type { EventFilter } from '../../contract/events.ts';
import type { Store } from '../../contract/store.ts';
import type { JudgedEvents } from '../../shared/judging/replay-rules.ts';
import { noEvents } from '../../shared/overview/activity.ts';
import type { Matching, UpwardRange } from '../../shared/replays/replay-slice.ts';
import { type AttemptPlace, attemptPlace } from '../deliveries/attempt-place.ts';
import { listDeliveries } from '../deliveries/delivery-list.ts';
import { conditionsOf } from '../destinations/conditions.ts';
import { guessesOf } from '../endpoints/guesses.ts';
import { newestEvents } from '../events/newest-events.ts';
import { readBroughtSecrets } from '../issues/brought-secrets.ts';
import { readExpectations, readExpectationsOf } from '../issues/expectations.ts';
import {
  readAttemptFacts,
  readConflictFacts,
  readUncomparableFacts,
  readUnjudgedFacts,
} from '../issues/facts.ts';
import { readFailureFacts } from '../issues/failure-facts.ts';
import { readLanes } from '../issues/lanes.ts';
import { readOutcomes } from '../issues/outcomes.ts';
import { listIssues } from '../issues/shown-issues.ts';
import { withTypes } from '../judging/body-types.ts';
import { classifyRows, judgeForReplay, tryRules } from '../judging/judged-events.ts';
import { attemptsAfter, eventsAfter, sequencesAt } from '../live/live-query.ts';
import { attemptActivity, eventActivity } from '../overview/activity.ts';
import { readOverview } from '../overview/read-overview.ts';
import { readStats } from '../overview/stats.ts';
import { listRejected } from '../rejected/rejected-list.ts';
import { countFound } from '../search/find-events.ts';
import { findUpwards, listEvents } from '../search/list-events.ts';
import type { Index } from '../search/search-downwards.ts';
import { joinedMemory } from '../threads/joined-bodies.ts';
import { contentMemory, revivedContent, shapeMemory } from '../threads/moved-memory.ts';
import { readEventsToLearn } from '../types/events-to-learn.ts';
import { findTypes, goneEvents, listTypes, typesAfter } from '../types/type-reads.ts';
import { ownerOfEndpoint, ownerOfEvents, ownerOfScope } from './owners.ts';

type StoreMethods = {
  [Name in keyof Store as Store[Name] extends (...args: never[]) => unknown
    ? Name
    : never]: Store[Name];
};

/** The contract's operations, grouped by part. `store` has the operations of the store itself. */
export interface StoreParts
  extends Omit<Store, keyof StoreMethods | 'cluster' | 'clock' | 'generation' | 'history'> {
  store: StoreMethods;
}

/** The reads that the store's thread needs for replays. */
interface ReplayReads {
  /** Returns the matching events of a slice. */
  matching(endpointKey: number, filter: EventFilter, range: UpwardRange): Promise<Matching>;
  /** Judges events for a replay, the oldest first, until the time is up. */
  judge(
    endpointKey: number,
    seqs: readonly number[],
    rules: readonly DestinationFilter[],
    forMs: number,
  ): Promise<JudgedEvents>;
}

/** The reads that the store's thread needs for attempts. */
export interface AttemptReads {
  /** Finds the event of an attempt by the attempt's id. Charges the account. */
  placeOf(userId: string, attemptId: string): Promise<AttemptPlace | null>;
}

type Readable = StoreParts & { replayed: ReplayReads; attempts: AttemptReads };

interface Snapshot {
  db: Database;
  index: Index;
}

/** A read. At each `yield` its thread runs other reads. */
interface Read<Args extends unknown[], Answer> {
  run(at: Snapshot, ...args: Args): Generator<void, Answer> | Answer;
  /** Whether it reads the contents of events. Such reads have their own thread. */
  looksInside?(...args: Args): boolean;
  /** Returns the account that is charged for the read. */
  owner?(db: Database, ...args: Args): string | null;
}

/** A read whose first argument is a number must say whether that is an endpoint's key. */
type OfEndpoint<Args extends unknown[], Answer> = Args extends [number, ...unknown[]]
  ? { ofEndpoint: false } | IfGone<Args, Answer>
  : object;
interface IfGone<Args extends unknown[], Answer> {
  /** Returns the answer for an endpoint that is gone. */
  ifGone(...args: Args): Answer;
}

type ReadOf<F> = Read<SentArguments<F>, AnswerOf<F>> &
  OfEndpoint<SentArguments<F>, AnswerOf<F>> &
  Way<F>;

type ReadTable = {
  [Part in keyof Readable]?: { [Name in keyof Readable[Part]]?: ReadOf<Readable[Part][Name]> };
};

const looksInside = ({ q, type, where }: EventFilter): boolean =>
  q !== undefined || type !== undefined || where !== undefined;

/** The long reads, which run in the reader's threads. To add a read, add a line here. */
const TABLE = {
  store: {
    stats: { ofEndpoint: false, run: ({ db, index }, now) => readStats(db, index !== null, now) },
  },
  endpoints: {
    guesses: { run: ({ db }, keys) => guessesOf(db, keys) },
  },
  destinations: {
    conditions: { ifGone: () => [], run: ({ db }, ...args) => conditionsOf(db, ...args) },
  },
  deliveries: {
    list: {
      ifGone: () => ({ deliveries: [], total: 0 }),
      run: ({ db }, ...args) => listDeliveries(db, ...args),
    },
  },
  attempts: {
    placeOf: { owner: (_, userId) => userId, run: ({ db }, _, id) => attemptPlace(db, id) },
  },
  events: {
    list: {
      looksInside: (_, filter) => looksInside(filter),
      owner: ownerOfScope,
      run: ({ db, index }, ...args) => listEvents(db, index, ...args),
    },
    tryRules: {
      looksInside: () => true,
      owner: ownerOfEndpoint,
      ifGone: () => [],
      run: ({ db }, ...args) => tryRules(db, ...args),
    },
    newest: {
      ifGone: () => [],
      run: ({ db }, ...args) => newestEvents(db, ...args),
      moveAnswer: (found) => found.flatMap(({ content }) => contentMemory(content)),
      revive: (found) => found.map((one) => ({ ...one, content: revivedContent(one.content) })),
    },
    eventActivity: {
      ifGone: (_, { hours }) => noEvents(hours),
      run: ({ db }, ...args) => eventActivity(db, ...args),
    },
    attemptActivity: { ifGone: () => [], run: ({ db }, ...args) => attemptActivity(db, ...args) },
    overview: { run: ({ db }, ...args) => readOverview(db, ...args) },
  },
  rejected: {
    list: {
      ifGone: () => ({ rejected: [], total: 0 }),
      run: ({ db }, ...args) => listRejected(db, ...args),
    },
  },
  replays: {
    count: {
      looksInside: (_, filter) => looksInside(filter),
      owner: ownerOfEndpoint,
      ifGone: () => 0,
      run: ({ db, index }, ...args) => countFound(db, index, ...args),
    },
  },
  replayed: {
    matching: {
      looksInside: (_, filter) => looksInside(filter),
      owner: ownerOfEndpoint,
      ifGone: () => ({ seqs: [], resumeAfter: null }),
      run: ({ db, index }, ...args) => findUpwards(db, index, ...args),
    },
    judge: {
      looksInside: () => true,
      owner: ownerOfEndpoint,
      ifGone: () => ({ verdicts: [], resumeAfter: null }),
      run: ({ db }, _, ...args) => judgeForReplay(db, ...args),
    },
  },
  live: {
    sequencesAt: { run: ({ db }, ...args) => sequencesAt(db, ...args) },
    classify: {
      looksInside: (_, where) => where !== null,
      owner: ownerOfEvents,
      run: ({ db }, ...args) => classifyRows(db, ...args),
    },
    eventsAfter: {
      *run({ db }, ...args) {
        return yield* withTypes(db, yield* eventsAfter(db, ...args));
      },
    },
    attemptsAfter: { run: ({ db }, ...args) => attemptsAfter(db, ...args) },
  },
  issues: {
    list: { run: ({ db }, ...args) => listIssues(db, ...args) },
    attemptFacts: { ofEndpoint: false, run: ({ db }, ...args) => readAttemptFacts(db, ...args) },
    conflictFacts: { ofEndpoint: false, run: ({ db }, ...args) => readConflictFacts(db, ...args) },
    unjudgedFacts: { ofEndpoint: false, run: ({ db }, ...args) => readUnjudgedFacts(db, ...args) },
    uncomparableFacts: {
      ofEndpoint: false,
      run: ({ db }, ...args) => readUncomparableFacts(db, ...args),
    },
    failureFacts: { run: ({ db }, ...args) => readFailureFacts(db, ...args) },
    lanes: { ofEndpoint: false, run: ({ db }, ...args) => readLanes(db, ...args) },
    outcomes: { ofEndpoint: false, run: ({ db }, ...args) => readOutcomes(db, ...args) },
    broughtSecrets: {
      ofEndpoint: false,
      run: ({ db }, ...args) => readBroughtSecrets(db, ...args),
    },
    expectations: { ofEndpoint: false, run: ({ db }, ...args) => readExpectations(db, ...args) },
    expectationsOf: { run: ({ db }, keys) => readExpectationsOf(db, keys) },
  },
  types: {
    list: {
      ifGone: () => ({ types: [], total: 0 }),
      run: ({ db }, ...args) => listTypes(db, ...args),
    },
    findMany: { run: ({ db }, refs) => findTypes(db, refs), moveAnswer: shapeMemory },
    toLearn: {
      ofEndpoint: false,
      run: ({ db }, ...args) => readEventsToLearn(db, ...args),
      moveAnswer: ({ events }) => joinedMemory(events),
    },
    after: {
      ofEndpoint: false,
      run: ({ db }, ...args) => typesAfter(db, ...args),
      moveAnswer: shapeMemory,
    },
    gone: { run: ({ db }, seqs) => goneEvents(db, seqs) },
  },
} satisfies ReadTable;

export type Reads = {
  [Part in keyof typeof TABLE]: Pick<
    Readable[Part],
    keyof (typeof TABLE)[Part] & keyof Readable[Part]
  >;
};

export const READS: {
  [Part in keyof Reads]: { [Name in keyof Reads[Part]]: ReadOf<Reads[Part][Name]> };
} = TABLE;

/** The operations of a part that aren't reads. */
export type Writes<Part extends keyof StoreParts> = Part extends keyof Reads
  ? Omit<StoreParts[Part], keyof Reads[Part]>
  : StoreParts[Part];

export type AnyRead = Read<unknown[], unknown> & Partial<IfGone<unknown[], unknown>>;

/** Returns an object of all reads, each of which calls `call`. */
export function eachRead(
  call: (read: AnyRead, args: unknown[], part: string, name: string) => Promise<unknown>,
): Reads {
  const parts: Record<string, Record<string, (...args: unknown[]) => Promise<unknown>>> = {};
  for (const [part, reads] of Object.entries(READS)) {
    parts[part] = {};
    for (const [name, read] of Object.entries<AnyRead>(reads)) {
      parts[part][name] = (...args) => call(read, args, part, name);
    }
  }
  // `parts` is complete, because READS is.
  return parts as unknown as Reads;
}

/** Adds the reads to the parts of the store. */
export function withReads<Parts extends object>(
  parts: Parts,
  reads: Reads,
): { [Part in keyof Parts]: Part extends keyof Reads ? Parts[Part] & Reads[Part] : Parts[Part] } {
  for (const [name, part] of Object.entries(reads)) {
    const written = (parts as Partial<Record<string, object>>)[name];
    if (written) Object.assign(written, part);
  }
  return parts as ReturnType<typeof withReads<Parts>>;
}
