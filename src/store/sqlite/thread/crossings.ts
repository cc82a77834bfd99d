import { memoryOf } from '../../../core/free-memory.ts';
import type { Outgoing, OutgoingRequest } from '../../contract/queue.ts';
import type { StoredType } from '../../contract/types.ts';
import { joinedMemory } from './joined-bodies.ts';
import { withBuffer } from './revived-content.ts';
import type { OperationName, StoreOperations } from './store-operations.ts';

/**
 * How one operation's arguments and answer cross. They are cloned, except for the
 * memory named here: that is transferred, and the sender can't read it afterwards.
 */
export interface Crossing<Arguments extends unknown[] = unknown[], Answer = unknown> {
  transferArguments?(...args: Arguments): ArrayBuffer[];
  transferAnswer?(answer: Answer): ArrayBuffer[];
  /** Gives the answer back the classes that cloning took from it. */
  revive?(answer: Answer): Answer;
}

type CrossingOf<Operation> = Operation extends (...args: infer Arguments) => Promise<infer Answer>
  ? Crossing<Arguments, Answer>
  : never;

type CrossingTable = {
  [Part in keyof StoreOperations]: {
    [Method in keyof StoreOperations[Part]]: CrossingOf<StoreOperations[Part][Method]>;
  };
};

const CLONED = {};

/** Complete by its type: without a line here, a new operation of the contract doesn't compile. */
const CROSSINGS: CrossingTable = {
  store: {
    claimSecret: CLONED,
    hasSecret: CLONED,
    announce: CLONED,
    checkWritable: CLONED,
    stats: CLONED,
    close: CLONED,
  },
  accounts: {
    createUser: CLONED,
    findUserByEmail: CLONED,
    setPlan: CLONED,
    countUsers: CLONED,
    createSession: CLONED,
    rotateSession: CLONED,
    findSessionUser: CLONED,
    listSessions: CLONED,
    deleteSession: CLONED,
    changePassword: CLONED,
  },
  apiTokens: { create: CLONED, list: CLONED, delete: CLONED, use: CLONED },
  audit: { add: CLONED, list: CLONED, retireSlice: CLONED },
  endpoints: {
    create: CLONED,
    list: CLONED,
    find: CLONED,
    findByPublicToken: CLONED,
    update: CLONED,
    remove: CLONED,
    guesses: CLONED,
  },
  destinations: {
    add: CLONED,
    get: CLONED,
    list: CLONED,
    update: CLONED,
    rules: CLONED,
    conditions: CLONED,
    probe: CLONED,
    discard: CLONED,
    remove: CLONED,
  },
  deliveries: {
    list: CLONED,
    find: CLONED,
    retry: CLONED,
    cancel: CLONED,
    holder: CLONED,
    findAttempt: CLONED,
  },
  events: {
    find: CLONED,
    findOwned: CLONED,
    content: {
      transferAnswer: (content) => (content ? ownMemory(content) : []),
      revive: (content) => content && withBuffer(content),
    },
    remove: CLONED,
    deliveries: CLONED,
    attempts: CLONED,
    list: CLONED,
    tryRules: CLONED,
    newest: {
      transferAnswer: (found) => found.flatMap(({ content }) => ownMemory(content)),
      revive: (found) =>
        found.map(({ event, content }) => ({ event, content: withBuffer(content) })),
    },
    eventActivity: CLONED,
    attemptActivity: CLONED,
    overview: CLONED,
  },
  rejected: {
    list: CLONED,
    find: {
      transferAnswer: (found) => (found ? ownMemory(found.content) : []),
      revive: (found) => found && { ...found, content: withBuffer(found.content) },
    },
  },
  replays: {
    replay: CLONED,
    count: CLONED,
    startJob: CLONED,
    workOff: CLONED,
    jobs: CLONED,
    job: CLONED,
    cancelJob: CLONED,
  },
  live: {
    includes: CLONED,
    lastSequences: CLONED,
    sequencesAt: CLONED,
    look: CLONED,
    eventsAfter: CLONED,
    attemptsAfter: CLONED,
  },
  issues: {
    list: CLONED,
    find: CLONED,
    setState: CLONED,
    cursor: CLONED,
    attemptFacts: CLONED,
    conflictFacts: CLONED,
    unjudgedFacts: CLONED,
    failureFacts: CLONED,
    lanes: CLONED,
    outcomes: CLONED,
    broughtSecrets: CLONED,
    expectations: CLONED,
    expectationsOf: CLONED,
    idle: CLONED,
    byCauses: CLONED,
    byDestinations: CLONED,
    closing: CLONED,
    openOf: CLONED,
    save: CLONED,
    toTell: CLONED,
    toldSince: CLONED,
    tell: CLONED,
    queue: CLONED,
    queued: CLONED,
    captured: CLONED,
    heartbeat: CLONED,
    dropResolved: CLONED,
  },
  channels: {
    add: CLONED,
    list: CLONED,
    find: CLONED,
    findByConfirmation: CLONED,
    confirm: CLONED,
    update: CLONED,
    remove: CLONED,
    unsealed: CLONED,
    seal: CLONED,
  },
  types: {
    list: CLONED,
    find: { transferAnswer: (type) => (type ? shapeMemory([type]) : []) },
    findMany: { transferAnswer: shapeMemory },
    learnedTo: CLONED,
    toLearn: { transferAnswer: ({ events }) => joinedMemory(events) },
    save: CLONED,
    after: { transferAnswer: shapeMemory },
    gone: CLONED,
    relearn: CLONED,
  },
  queue: {
    begin: {
      transferAnswer: (begun) =>
        begun.flatMap((outgoing) => (isReadable(outgoing) ? ownMemory(outgoing.request) : [])),
      revive: (begun) =>
        begun.map((outgoing) =>
          isReadable(outgoing) ? { ...outgoing, request: withBuffer(outgoing.request) } : outgoing,
        ),
    },
    nextDueAt: CLONED,
    shiftDue: CLONED,
    renew: CLONED,
    release: CLONED,
    record: CLONED,
  },
  upkeep: {
    retireSlice: CLONED,
    purgeSlice: CLONED,
    expireHeldSlice: CLONED,
    dropExpiredSessions: CLONED,
  },
  packed: {
    append: { transferArguments: ({ bodies }) => [bodies.bytes.buffer] },
    claimWithRequests: { transferAnswer: ({ bodies }) => [bodies.bytes.buffer] },
  },
};

/** An operation whose arguments the caller has checked. */
type Operation = (...args: unknown[]) => Promise<unknown>;

export interface NamedOperation {
  run: Operation;
  crossing: Crossing;
}

/** The main thread's side: every operation calls `send`. */
export function forwardedOperations(
  send: (name: OperationName, crossing: Crossing, args: unknown[]) => Promise<unknown>,
): StoreOperations {
  const parts: Record<string, Record<string, Operation>> = {};
  for (const { part, method, name, crossing } of listedOperations()) {
    parts[part] ??= {};
    parts[part][method] = (...args) => send(name, crossing, args);
  }
  // Complete, as CROSSINGS is.
  return parts as unknown as StoreOperations;
}

/** The side of the store's thread: what to run for a name. */
export function operationsByName(
  operations: StoreOperations,
): ReadonlyMap<OperationName, NamedOperation> {
  return new Map(
    listedOperations().map(({ part, method, name, crossing }) => {
      const target = operations[part] as unknown as Record<string, Operation>;
      return [name, { run: (target[method] as Operation).bind(target), crossing }];
    }),
  );
}

function listedOperations(): {
  part: keyof StoreOperations;
  method: string;
  name: OperationName;
  crossing: Crossing;
}[] {
  return Object.entries(CROSSINGS).flatMap(([part, crossings]) =>
    Object.entries(crossings).map(([method, crossing]) => ({
      part: part as keyof StoreOperations,
      method,
      name: `${part}.${method}` as OperationName,
      crossing: crossing as Crossing,
    })),
  );
}

/** The memory of shapes, where no other buffer has a part of it. */
function shapeMemory(types: readonly StoredType[]): ArrayBuffer[] {
  return types.flatMap(({ shape }) => (shape ? ownMemory({ body: shape }) : []));
}

/** A body's memory, where no other buffer has a part of it. */
function ownMemory({ body }: { body: Uint8Array }): ArrayBuffer[] {
  const memory = body.length > 0 ? memoryOf(body) : null;
  return memory ? [memory] : [];
}

function isReadable(
  outgoing: Outgoing | null,
): outgoing is Outgoing & { request: OutgoingRequest } {
  return outgoing !== null && outgoing.request !== 'damaged';
}
