/**
 * The types of events that each endpoint received, with the shapes of their payloads. A learner
 * reads new events by a cursor, independently of captures. One commit saves the shapes and the
 * cursor. Several nodes may learn at once: `save` refuses a change that is based on an older cursor
 * or an older version of a type.
 */
export interface TypeStore {
  /** Returns a page of an endpoint's types, last seen first, and their exact number. */
  list(
    endpointKey: number,
    window: { offset: number; limit: number },
  ): Promise<{ types: LearnedType[]; total: number }>;
  /** Returns null if the endpoint has no such type. */
  find(endpointKey: number, type: string): Promise<StoredType | null>;
  /**
   * Finds types by their names, with their shapes. Each returned type has the name as the caller
   * wrote it.
   */
  findMany(refs: readonly TypeRef[]): Promise<StoredType[]>;

  /** Returns the sequence number of the last event that the learner has read. */
  learnedTo(): Promise<number>;
  /**
   * Returns the events after `after` from which to learn, in order, with their contents. Leaves out
   * events that failed verification, duplicates, edited copies and internal events. If the endpoint
   * has a source, returns only verified and authenticated events. Returns a number only when every
   * smaller one can be read.
   *
   * Reads at most `limits.most` rows, and stops when their bodies reach `limits.bytes` in total.
   * Returns an empty body if the body is damaged or larger than `limits.largest`. All bodies share
   * one piece of memory. The next page starts at `scannedTo`, which equals `after` at the end.
   */
  toLearn(after: number, limits: LearningLimits): Promise<EventsToLearn>;
  /**
   * Saves what the learner found. Leaves out new types of deleted endpoints, and new types beyond
   * `mostTypes` of an endpoint. Returns false, and saves nothing, if the cursor or a type has
   * changed. The caller then reads again.
   */
  save(learned: Learned, mostTypes: number): Promise<boolean>;
  /** Returns types by key, at most `limit` after `afterKey`, with their shapes. */
  after(afterKey: number, limit: number): Promise<StoredType[]>;
  /** Returns which of these events are gone, by sequence number. */
  gone(seqs: readonly number[]): Promise<Set<number>>;
  /** Deletes all types, and moves the cursor before the oldest event. */
  relearn(): Promise<void>;
}

export interface TypeRef {
  endpointKey: number;
  /** The name in the event's header or body; empty for events without a type. */
  type: string;
}

/** A type without its shape. */
export interface LearnedType extends TypeRef {
  key: number;
  version: number;
  provider: string | null;
  /** How many events have this type. */
  count: number;
  firstAt: number;
  lastAt: number;
}

export interface StoredType extends LearnedType {
  /** `storedShape` (`core/shapes`). Null if no payload was JSON. */
  shape: Uint8Array | null;
}

export interface LearningLimits {
  /** How many rows one read covers at most. */
  most: number;
  /** The total size of bodies after which the read stops, bytes. */
  bytes: number;
  /** The largest body that a read returns, bytes. */
  largest: number;
}

export interface EventsToLearn {
  events: EventToLearn[];
  scannedTo: number;
}

export interface EventToLearn {
  seq: number;
  id: string;
  endpointKey: number;
  userId: string;
  receivedAt: number;
  provider: string | null;
  /** From the headers. Null if only the body may name the type. */
  eventType: string | null;
  contentType: string | null;
  body: Uint8Array;
}

export interface Learned {
  /** Moves the cursor. Absent if only shapes change. */
  cursor?: { before: number; after: number };
  added: readonly Omit<StoredType, 'key' | 'version'>[];
  /**
   * Changed types with all their values. `version` is the one that the change is based on. The
   * store adds 1.
   */
  changed: readonly StoredType[];
}
