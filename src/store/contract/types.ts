/**
 * The types of events that each endpoint has received, with the shapes of their payloads,
 * learned from all of them. A learner reads new events by a cursor, off the capture's path,
 * and saves shapes and cursor in one commit. Several nodes may learn at once: `save`
 * refuses what is based on an older cursor.
 */
export interface TypeStore {
  /** A page of an endpoint's types, the last seen first, and their exact number. */
  list(
    endpointKey: number,
    window: { offset: number; limit: number },
  ): Promise<{ types: LearnedType[]; total: number }>;
  /** Null when the endpoint has no such type. */
  find(endpointKey: number, type: string): Promise<StoredType | null>;
  /** Types of these names that exist, with their shapes. Each has the name that was asked for. */
  findMany(refs: readonly TypeRef[]): Promise<StoredType[]>;

  /** The number of the last event that was learned from. */
  learnedTo(): Promise<number>;
  /**
   * Events after `after`, in order, with their contents, as far as shapes are learned from
   * them: of endpoints with a source only verified and authenticated ones, nowhere those
   * that failed, no duplicates, no edited copies, no internal ones. Shows a number only when
   * every smaller one can be read.
   *
   * Reads at most `limits.most` rows, and no further body once they have `limits.bytes`. A
   * body larger than `limits.largest`, or damaged, comes as an empty one. All bodies share
   * one piece of memory. `scannedTo` is where to continue; it equals `after` at the end.
   */
  toLearn(after: number, limits: LearningLimits): Promise<EventsToLearn>;
  /**
   * Commits what was learned. Leaves out a new type beyond `mostTypes` of its endpoint, and
   * one of an endpoint that is deleted. False where the cursor or a type has changed:
   * nothing is saved, look again.
   */
  save(learned: Learned, mostTypes: number): Promise<boolean>;
  /** Types by key, at most `limit` after `afterKey`, with their shapes. */
  after(afterKey: number, limit: number): Promise<StoredType[]>;
  /** Which of these events are gone, by sequence number. */
  gone(seqs: readonly number[]): Promise<Set<number>>;
  /** Forgets all types, and moves the cursor before the oldest event. */
  relearn(): Promise<void>;
}

export interface TypeRef {
  endpointKey: number;
  /** As the event's header or body names it; empty for events without a type. */
  type: string;
}

/** A type without its shape. */
export interface LearnedType extends TypeRef {
  key: number;
  version: number;
  provider: string | null;
  /** Events that were seen. */
  count: number;
  firstAt: number;
  lastAt: number;
}

export interface StoredType extends LearnedType {
  /** `storedShape` (`core/shapes`). Null where no payload was JSON. */
  shape: Uint8Array | null;
}

export interface LearningLimits {
  /** Rows that are read. */
  most: number;
  /** Bytes of bodies after which no further one is read. */
  bytes: number;
  /** Largest body, bytes. */
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
  /** From the headers; the body may name it otherwise. */
  eventType: string | null;
  contentType: string | null;
  body: Uint8Array;
}

export interface Learned {
  /** Moves the cursor; absent for a change of shapes alone. */
  cursor?: { before: number; after: number };
  added: readonly Omit<StoredType, 'key' | 'version'>[];
  /** Whole types. `version` is the one that the change is based on; the store adds 1. */
  changed: readonly StoredType[];
}
