import type {
  ApiToken,
  Attempt,
  AttemptError,
  CapturedRequest,
  CaptureResponse,
  Delivery,
  Destination,
  Endpoint,
  EventStatus,
  EventSummary,
  Plan,
  Session,
  Trigger,
  User,
} from '../core/model.ts';

/**
 * The store contract. Every method is one whole operation: it happens entirely,
 * durably (fsynced before its promise resolves) and atomically, or it throws
 * and nothing happened. No transaction leaks out. Time comes in as a parameter.
 *
 * Errors: `HookrelayError` where a method says so, with `storage_full` possible
 * on every write; anything else is a fault of the backend.
 *
 * One conformance suite (`test/store/conformance.ts`) runs against every backend.
 */
export interface Store {
  readonly accounts: AccountStore;
  readonly endpoints: EndpointStore;
  readonly events: EventStore;
  readonly replays: ReplayStore;
  readonly live: LiveStore;
  readonly queue: QueueStore;
  readonly upkeep: UpkeepStore;
  /** Random id of this database's history; a restored or new database has another. */
  readonly generation: string;
  /**
   * Notes the check value of the server's secret in a new database. False when
   * another secret's is noted: what was sealed with it can't be opened with this.
   */
  claimSecret(checkValue: string): Promise<boolean>;
  /** Resolves when a durable write works now; throws what stops it. */
  checkWritable(): Promise<void>;
  stats(now: number): Promise<StoreStats>;
  /** Ends workers, checkpoints, closes. Operations under way are finished first. */
  close(): Promise<void>;
}

export interface StoreStats {
  /** Deliveries still open. */
  pending: number;
  /** Open deliveries whose time has come. */
  due: number;
  /** How long the oldest due delivery has waited, ms. */
  oldestDueMs: number;
  /** Events that the search index doesn't hold yet (they are scanned instead). */
  indexLag: number;
  databaseBytes: number;
  walBytes: number;
}

export interface AccountStore {
  /** Throws `email_taken`. */
  createUser(user: User & { passwordHash: string; createdAt: number }): Promise<void>;
  /** Null when unknown. */
  findUserByEmail(email: string): Promise<(User & { passwordHash: string }) | null>;
  /** False when no such account. */
  setPlan(email: string, plan: Plan): Promise<boolean>;
  countUsers(): Promise<number>;

  createSession(session: Session): Promise<void>;
  /**
   * Moves a session from `generation` to the next, atomically.
   *
   * - `rotated`: done; the session is returned as it is now.
   * - `repeated`: `generation` is the one before the current and was rotated at
   *   most `graceMs` ago. Nothing changed; the caller hands out the same successor.
   * - `reused`: an older token came back. The whole session is deleted.
   * - `gone`: unknown, expired (idle or absolute, then deleted), or revoked.
   */
  rotateSession(rotation: SessionRotation): Promise<SessionRotationResult>;
  /** The account that a session is of; null once it has ended. Expiry isn't looked at. */
  findSessionUser(sessionId: string): Promise<User | null>;
  /** Live ones, last used first; the first 100. */
  listSessions(userId: string, limits: SessionLimits, now: number): Promise<Session[]>;
  /** False when the account has no such session. */
  deleteSession(userId: string, sessionId: string): Promise<boolean>;

  createApiToken(token: ApiToken & { userId: string; hash: Uint8Array }): Promise<void>;
  /** Newest first; the first 100. */
  listApiTokens(userId: string): Promise<ApiToken[]>;
  deleteApiToken(userId: string, tokenId: string): Promise<boolean>;
  /**
   * The account that a token stands for; null when unknown. Notes its use, to
   * the minute, if that can be written: a full disk must not keep anyone out.
   */
  useApiToken(hash: Uint8Array, now: number): Promise<{ tokenId: string; user: User } | null>;
}

export interface SessionLimits {
  idleMs: number;
  absoluteMs: number;
}

export interface SessionRotation extends SessionLimits {
  id: string;
  generation: number;
  graceMs: number;
  now: number;
  address: string | null;
  userAgent: string | null;
}

export type SessionRotationResult =
  | { outcome: 'rotated' | 'repeated'; session: Session }
  | { outcome: 'reused' | 'gone' };

export interface EndpointStore {
  create(endpoint: Omit<Endpoint, 'key'>): Promise<Endpoint>;
  /** Newest first. */
  list(userId: string): Promise<Endpoint[]>;
  /** Null when unknown, deleted, or another account's. */
  find(userId: string, id: string): Promise<Endpoint | null>;
  /** Null when unknown or deleted; an inactive endpoint is returned. */
  findByPublicToken(publicToken: string): Promise<Endpoint | null>;
  /** Null when it was deleted meanwhile. */
  update(key: number, patch: EndpointPatch): Promise<Endpoint | null>;
  /**
   * Takes the endpoint out of every read at once and ends its deliveries; its
   * rows go later (`upkeep.purgeSlice`). False when it was gone already.
   */
  remove(key: number, now: number): Promise<boolean>;

  /** Events captured from now on go to it. Null when the endpoint was deleted meanwhile. */
  addDestination(
    endpointKey: number,
    destination: Omit<Destination, 'key'>,
  ): Promise<Destination | null>;
  /** Newest first, without removed ones. */
  listDestinations(endpointKey: number): Promise<Destination[]>;
  /**
   * No new events go to it. Its open deliveries run to their end, or are all
   * cancelled with `cancelPending` (some a little earlier: there may be a million). False when there is no such destination.
   */
  removeDestination(
    endpointKey: number,
    destinationId: string,
    now: number,
    cancelPending: boolean,
  ): Promise<boolean>;
}

export interface EndpointPatch {
  name?: string;
  isActive?: boolean;
  response?: CaptureResponse | null;
}

/** Who may see a thing: all endpoints of an account, or one of them. */
export type Scope = { userId: string } | { endpointKey: number };

export interface EventFilter {
  status?: EventStatus;
  method?: string;
  /** Inclusive. */
  from?: number;
  /** Exclusive. */
  to?: number;
  /** Literal, case-sensitive text that the body holds (see `core/search-text.ts`). */
  q?: string;
}

export interface EventStore {
  /**
   * Stores requests with the deliveries that they cause. Each request's
   * endpoint, its `isActive` and its destinations are read inside the commit: a
   * request whose endpoint is gone or paused is refused alone, not its
   * neighbours. New deliveries come back claimed as far as `terms` allow; the
   * others stay due in the table.
   */
  appendBatch(requests: readonly CapturedRequest[], terms: ClaimTerms): Promise<AppendBatchResult>;
  /** Null when the endpoint has no such event. */
  find(endpointKey: number, eventId: string): Promise<EventSummary | null>;
  /** The same by the event's id alone. Null when no endpoint of the account has it. */
  findOwned(
    userId: string,
    eventId: string,
  ): Promise<{ endpoint: Endpoint; event: EventSummary } | null>;
  /** Null when the event is gone. */
  content(seq: number): Promise<EventContent | null>;
  /** Those of the latest round, and older ones still open. Oldest first. */
  deliveries(seq: number): Promise<Delivery[]>;
  /** All of every round, in the order in which they were begun. */
  attempts(seq: number): Promise<Attempt[]>;
  /**
   * A page, newest first by sequence, and the exact number of all that match,
   * both of one moment. Throws `overloaded` when too many searches are under
   * way; rejects with the signal's reason when it is aborted.
   */
  list(
    endpointKey: number,
    filter: EventFilter,
    window: { offset: number; limit: number },
    signal?: AbortSignal,
  ): Promise<EventPage>;
}

export interface EventPage {
  events: EventSummary[];
  /** All that match, on every page. */
  total: number;
}

export interface ReplayStore {
  /**
   * Starts a new round for one event: deliveries to all destinations that the
   * endpoint has now, claimed like those of `appendBatch`. Open deliveries of
   * older rounds to the same destinations become `cancelled`. Null when gone.
   */
  replay(
    endpointKey: number,
    seq: number,
    now: number,
    terms: ClaimTerms,
  ): Promise<ReplayResult | null>;
  /**
   * How many events `startJob` would replay now.
   */
  count(endpointKey: number, filter: EventFilter, signal?: AbortSignal): Promise<number>;
  /**
   * Queues a replay of the events captured until now that match `filter` when
   * their turn comes. Durable; worked off by `workOff`. Returns how many match now.
   */
  startJob(
    job: { id: string; endpointKey: number; filter: EventFilter; now: number },
    signal?: AbortSignal,
  ): Promise<number>;
  /**
   * Replays the next events of the oldest job and moves its mark, atomically,
   * so that a crash neither skips nor repeats one. The deliveries stay due in
   * the table. Null when there is no job left.
   */
  workOff(now: number, maxEvents: number): Promise<{ unclaimed: Set<number> } | null>;
}

/** What live streams resume from. */
export interface LiveStore {
  /** The newest sequence numbers, 0 where there is nothing. */
  lastSequences(): Promise<{ eventSeq: number; attemptSeq: number }>;
  /**
   * Where to start for what came at or after `time`: the sequence numbers just
   * before the first such event of the scope, and the first such attempt.
   */
  sequencesAt(scope: Scope, time: number): Promise<{ eventSeq: number; attemptSeq: number }>;
  /** Events captured after `seq`, in order, at most `limit`. */
  eventsAfter(scope: Scope, seq: number, limit: number): Promise<EventSummary[]>;
  /**
   * Attempts settled after `seq`, in order. Looks at no more than `limit` rows
   * of anyone's; `scannedTo` is where to go on, equal to `seq` at the end.
   */
  attemptsAfter(
    scope: Scope,
    seq: number,
    limit: number,
  ): Promise<{ attempts: SettledAttempt[]; scannedTo: number }>;
}

/** What an event's row leaves to a second read: a body may be 25 MiB. */
export interface EventContent {
  query: string;
  rawHeaders: string[];
  body: Buffer;
}

export type AppendResult =
  | {
      stored: true;
      event: EventSummary;
      endpointKey: number;
      userId: string;
      response: CaptureResponse | null;
    }
  | { stored: false; reason: 'endpoint_not_found' | 'endpoint_inactive' };

export interface AppendBatchResult extends NewDeliveries {
  /** One for each request, in their order. */
  results: AppendResult[];
}

export interface ReplayResult extends NewDeliveries {
  /** How many deliveries the new round has. */
  deliveries: number;
}

/** Deliveries just made, handed over without another look at the table. */
export interface NewDeliveries {
  claimed: ClaimedDelivery[];
  /** Keys of the destinations that got deliveries which nobody has claimed. */
  unclaimed: Set<number>;
}

/** How much of what is due a caller takes on. */
export interface ClaimTerms {
  leaseUntil: number;
  /** At most this many in all. */
  limit: number;
  /** Of those, of destinations that aren't proven (`core/proven.ts`); without it, any number. */
  suspectLimit?: number;
  /** Destinations of which to claim nothing. */
  skip: ReadonlySet<number>;
}

/**
 * The right to make one attempt of a delivery, until `leaseUntil`. The token
 * tells this claim from a later one of the same delivery.
 */
export interface ClaimedDelivery {
  id: string;
  token: number;
  eventSeq: number;
  eventId: string;
  endpointKey: number;
  round: number;
  trigger: Trigger;
  /** Attempts made before this one. */
  attempts: number;
  /** Of the body, bytes. */
  size: number;
  destination: ClaimedDestination;
}

export interface ClaimedDestination {
  key: number;
  id: string;
  url: string;
  sealedSecret: Uint8Array | null;
  /** Whether its last attempt timed out; null before its first. */
  timedOut: boolean | null;
}

export interface QueueStore {
  /**
   * Claims deliveries whose time has come and that no live claim holds: the
   * longest due of each destination first, at most `perDestination` of one and
   * `limit` and `suspectLimit` in all, none of the destinations in `skip`. Fewer than
   * `perDestination` of one means that nothing else of it is due.
   */
  claimDue(now: number, terms: ClaimTerms & { perDestination: number }): Promise<ClaimedDelivery[]>;
  /**
   * What to send for each claim, in order, and the claims renewed until
   * `leaseUntil`, for attempts that start now. Null where the claim is no
   * longer live (superseded, cancelled, claimed anew) or the event is gone.
   */
  begin(
    claims: readonly ClaimedDelivery[],
    leaseUntil: number,
  ): Promise<(OutgoingRequest | null)[]>;
  /** When the next unclaimed delivery of a destination not in `skip` is due; null if none is. */
  nextDueAt(now: number, skip: ReadonlySet<number>): Promise<number | null>;
  /** Keeps claims that wait for their turn. Unknown tokens are passed over. */
  renew(claims: readonly ClaimedDelivery[], leaseUntil: number): Promise<void>;
  /**
   * Moves every open delivery's time by `byMs`: the wall clock was set back, and
   * what was due in seconds would else be due in an hour.
   */
  shiftDue(byMs: number): Promise<void>;
  /** Gives claims back unused: the deliveries are due as before. Unknown tokens are passed over. */
  release(claims: readonly ClaimedDelivery[]): Promise<void>;
  /**
   * Records attempts and moves their deliveries on. The attempt is always
   * appended, once by its id, unless its event is gone (null). The delivery
   * changes only if the claim is still live: not superseded, cancelled,
   * claimed anew or settled before. Counters and the event's status follow in
   * the same commit. One result for each settlement, in order.
   */
  settle(settlements: readonly Settlement[]): Promise<(SettledAttempt | null)[]>;
}

/** The captured request that a delivery passes on. */
export interface OutgoingRequest extends EventContent {
  method: string;
  path: string;
}

export interface Settlement {
  claim: ClaimedDelivery;
  attempt: {
    id: string;
    responseCode: number | null;
    responseBody: string | null;
    responseTruncated: boolean;
    durationMs: number;
    error: AttemptError | null;
    attemptedAt: number;
  };
  /** The deadline ended it, even where a status had come: remembered of the destination. */
  timedOut: boolean;
  next: { state: 'succeeded' | 'dead' } | { state: 'pending'; nextAttemptAt: number };
}

/** An attempt on record, with what a live stream needs to know who may see it. */
export interface SettledAttempt {
  attempt: Attempt;
  eventStatus: EventStatus;
  userId: string;
  endpointKey: number;
}

export interface UpkeepStore {
  /**
   * Deletes up to `maxEvents` events received before `before` that have no open
   * delivery, with all that hangs on them. `more` says whether to call again.
   */
  retireSlice(before: number, maxEvents: number): Promise<{ removed: number; more: boolean }>;
  /** Deletes up to `maxEvents` events of deleted endpoints, then those endpoints. */
  purgeSlice(maxEvents: number): Promise<{ removed: number; more: boolean }>;
  dropExpiredSessions(limits: SessionLimits, now: number): Promise<number>;
}

/**
 * What an operator does to stored data from a command line: in a process of its
 * own, beside a running server. Nothing is opened before it is needed.
 *
 * Methods throw `data_dir_unusable` where there is no data or no access to it,
 * `database_unusable`, `schema_newer`, and `data_dir_locked` where the schema is
 * older than this program's and somebody works on the data. An older schema
 * that nobody works on is brought up to date first, except where a method says
 * that it takes any.
 */
export interface AdminStore {
  readonly users: UserAdmin;
  /** Events received before `before`, and how many of them still have an open delivery. */
  countOlder(before: number): Promise<{ events: number; open: number }>;
  /**
   * Deletes events received before `before` that have no open delivery, in short
   * transactions with pauses, so that a server beside goes on. Ended half-way it
   * has deleted some of them. Returns how many.
   */
  prune(before: number, onProgress?: (removed: number) => void): Promise<number>;
  /**
   * Writes a consistent copy of all data, complete and fsynced when it takes the
   * name `file`, which it never does half: everything committed before the call
   * is in it. Takes any schema. May block the thread for as long as it takes.
   *
   * Throws `storage_full`, also where the copy would leave too little room for a
   * server on the same disk.
   */
  backup(file: string, options?: CopyOptions): Promise<BackupSummary>;
  /**
   * The check value of the secret that the data was written with; null before
   * the first server noted it. Takes any schema.
   */
  secretCheck(): Promise<string | null>;
  /** What there is, as far as it can be told without writing anything. Never throws. */
  inspect(now: number): Promise<Inspection>;
  /** What is wrong with the stored bytes; empty when nothing is. `full` takes longer. */
  checkIntegrity(full: boolean): Promise<string[]>;
  /**
   * Takes the data for itself, for what can't be done beside a server. Throws
   * `data_dir_locked` while anybody else has it. With `make`, where there is
   * nothing yet, makes the place for it.
   */
  exclusive(options: { make: boolean }): Promise<ExclusiveAdmin>;
  close(): Promise<void>;
}

/** Accounts as an operator sees them. */
export interface UserAdmin {
  /** Oldest first. */
  list(): Promise<UserOverview[]>;
  /** Makes the database where there is none. Throws `email_taken`. */
  create(user: User & { passwordHash: string; createdAt: number }): Promise<void>;
  /** A server follows at its next request. False when there is no such account. */
  setPlan(email: string, plan: Plan): Promise<boolean>;
  /**
   * Replaces the password and ends every session in the same commit. API tokens
   * stay; their number is returned. Null when there is no such account.
   */
  setPassword(
    email: string,
    passwordHash: string,
  ): Promise<{ sessionsEnded: number; apiTokens: number } | null>;
}

export interface UserOverview extends User {
  createdAt: number;
  endpoints: number;
  events: number;
  /** When a session or an API token of it was last used; null when there is none. */
  lastSeenAt: number | null;
}

export interface CopyOptions {
  /** Replaces a file of that name, where there is one; else it throws. */
  overwrite?: boolean;
  /** Called before the long part: `file` grows to about `expectedBytes`. */
  onBegin?: (copy: { file: string; expectedBytes: number }) => void;
}

export interface BackupSummary {
  bytes: number;
  schema: number;
  /** Null for another schema than this program's. */
  events: number | null;
}

/** The sole right to the data, until `release`. */
export interface ExclusiveAdmin {
  /** Brings the schema up to date; `from` is 0 for a database just made. */
  migrate(): Promise<{ from: number; to: number }>;
  /**
   * Builds the search index anew from the events. Broken off, the next server
   * goes on with it.
   */
  reindex(onProgress?: (progress: { done: number; total: number }) => void): Promise<number>;
  /**
   * Puts a backup in the place of the data, with a new generation (live streams
   * are told to start over, the search index is built anew), without sessions
   * (those ended since would be live again), and with the schema up to date. The
   * data that was there is kept beside it. Until the backup has proved sound and
   * is in place, nothing changes.
   *
   * Throws `database_unusable` for what isn't a sound backup, `schema_newer`,
   * `storage_full`.
   */
  restore(file: string, options?: Pick<CopyOptions, 'onBegin'>): Promise<RestoreSummary>;
  release(): Promise<void>;
}

export interface RestoreSummary extends BackupSummary {
  events: number;
  /** The schema of the backup itself. */
  backupSchema: number;
  newestEventAt: number | null;
  /** They are attempted, perhaps again, when a server starts. */
  openDeliveries: number;
  secretCheck: string | null;
  /** The directory that the former data was moved to; null when there was none. */
  kept: string | null;
}

/** A file or directory that the data is made of. */
export interface StoredFile {
  path: string;
  /** Permission bits; null where the system has none. */
  mode: number | null;
  /** Whether this process may read and write it. */
  usable: boolean;
  /** Whether it belongs to the user that the data directory belongs to. */
  ownerMatches: boolean;
}

export interface Inspection {
  /** Name and version of what stores the data. */
  engine: string;
  /** Null when there is none, or it can't be looked at. */
  directory: StoredFile | null;
  files: StoredFile[];
  /** Below the reserve, capture stops. Null where the system doesn't say. */
  disk: { freeBytes: number; reserveBytes: number } | null;
  /** Who works on the data, if anybody does; the process where it is known. */
  holder: { pid: number | null } | null;
  database: DatabaseFacts;
}

export type DatabaseFacts =
  /** `lost`: other files tell that there was one. */
  | { state: 'missing'; lost: boolean }
  | { state: 'unusable'; reason: string }
  | {
      state: 'readable';
      schema: number;
      newestSchema: number;
      bytes: number;
      walBytes: number;
      /** Null for another schema than this program's. */
      content: ContentFacts | null;
    };

export interface ContentFacts {
  events: number;
  newestEventAt: number | null;
  secretCheck: string | null;
  /** As in `StoreStats`. */
  queue: { pending: number; due: number; oldestDueMs: number };
  /** `stale`: of another database, or an older make. `lag`: events not in it. */
  index: { state: 'current' | 'missing' | 'stale' | 'unusable'; lag: number };
}
