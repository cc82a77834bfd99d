/**
 * The types of events that each endpoint received, with the shapes of their payloads. A learner
 * reads new events by a cursor, independently of captures. One commit saves the shapes and the
 * cursor. Several nodes may learn at once: `save` refuses a change that is based on an older cursor
 * or type version.
 */
export interface TypeStore {
  /** Returns a page of an endpoint's types, last seen first, and their exact number. */
  list(
    endpointKey: number,
    window: { offset: number; limit: number },
  ): Promise<{ types: LearnedType[]; total: number }>;
  /** Returns null if the endpoint has no such type. */
  find(endpointKey: number, type: string): Promise<StoredType | null>;
  /** Finds types by name, with their shapes. Each returned type has the caller's spelling. */
  findMany(refs: readonly TypeRef[]): Promise<StoredType[]>;

  /** Returns the sequence number of the last event that the learner has read. */
  learnedTo(): Promise<number>;
  /**
   * Returns the events after `after` to learn from, in order, with their contents. Omits failed
   * verifications, duplicates, edited copies and internal events. If the endpoint has a source,
   * returns only verified and authenticated events. Returns a sequence number only when all smaller
   * ones can be read.
   *
   * Reads at most `limits.most` rows, and stops when their bodies reach `limits.bytes`. A damaged
   * body, or one larger than `limits.largest`, is returned empty. All bodies share one buffer. The
   * next page starts at `scannedTo`, which equals `after` at the end.
   */
  toLearn(after: number, limits: LearningLimits): Promise<EventsToLearn>;
  /**
   * Saves what the learner found. Skips new types of deleted endpoints, and new types beyond
   * `mostTypes` of an endpoint. Returns false, and saves nothing, if the cursor or a type has
   * changed. The caller then reads again.
   */
  save(learned: Learned, mostTypes: number): Promise<boolean>;
  /** Returns types with their shapes, by key, at most `limit` after `afterKey`. */
  after(afterKey: number, limit: number): Promise<StoredType[]>;
  /** Returns which of these events are gone, by sequence number. */
  gone(seqs: readonly number[]): Promise<Set<number>>;
  /** Deletes all types and sets the cursor before the oldest event. */
  relearn(): Promise<void>;
}

export interface TypeRef {
  endpointKey: number;
  /** The name in the event's header or body; empty for events without a type. */
  type: string;
}

export interface LearnedType extends TypeRef {
  key: number;
  version: number;
  provider: string | null;
  /** The number of events with this type. */
  count: number;
  firstAt: number;
  lastAt: number;
}

export interface StoredType extends LearnedType {
  /** A `storedShape` (`core/shapes`). Null if no payload was JSON. */
  shape: Uint8Array | null;
}

export interface LearningLimits {
  /** The largest number of rows that one read covers. */
  most: number;
  /** The read stops when the bodies reach this total size, bytes. */
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
  /** The type in the headers. Null if only the body may name it. */
  eventType: string | null;
  contentType: string | null;
  body: Uint8Array;
}

export interface Learned {
  /** The new position of the cursor. Not set if only shapes change. */
  cursor?: { before: number; after: number };
  added: readonly Omit<StoredType, 'key' | 'version'>[];
  /**
   * Changed types with all their values. `version` is the version before the change. The store adds
   * 1.
   */
  changed: readonly StoredType[];
}
