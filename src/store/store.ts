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
import type { WakingClock } from '../core/runtime.ts';

/**
 * The store contract. Every method is one whole operation: it happens entirely,
 * durably (fsynced before its promise resolves) and atomically, or it throws
 * and nothing happened. No transaction leaks out. Time comes in as a parameter,
 * and is that of `clock`.
 *
 * Errors: `HookrelayError` where a method says so, with `storage_full` and
 * `overloaded` possible on every write, and, where the data is in another
 * process, `storage_unavailable` on everything. That one alone leaves open
 * whether a write happened: the connection may break while it is committed.
 * Anything else is a fault of the backend.
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
  /** What ties several processes together; null where one has the data to itself. */
  readonly cluster: ClusterStore | null;
  /**
   * The time that operations go by. Where several processes share the data, it is
   * that of the database: a lease must end for all of them at once.
   */
  readonly clock: WakingClock;
  /** Random id of this database's history; a restored or new database has another. */
  readonly generation: string;
  /**
   * Notes the check value of the server's secret in a new database. False when
   * another secret's is noted: what was sealed with it can't be opened with this.
   */
  claimSecret(checkValue: string): Promise<boolean>;
  /** Whether a secret was noted: what was sealed with it needs that one. */
  hasSecret(): Promise<boolean>;
  /** Resolves when a durable write works now; throws what stops it. */
  checkWritable(): Promise<void>;
  stats(now: number): Promise<StoreStats>;
  /** Ends workers, checkpoints, closes. Operations under way are finished first. */
  close(): Promise<void>;
}

/** Counts tries for a key in a window that starts with the first of them. */
export interface AllowanceStore {
  /** Null when nothing is counted, or the window has ended. */
  read(key: string, now: number): Promise<AllowanceUse | null>;
  /** Adds `points` (negative ones give back) and returns what is used then. */
  add(key: string, points: number, windowMs: number, now: number): Promise<AllowanceUse>;
  clear(key: string): Promise<void>;
}

export interface AllowanceUse {
  used: number;
  expiresAt: number;
}

/**
 * Several processes on the same data, each a node. They tell each other that
 * something happened, not what: the tables are the truth, and a signal that is
 * lost costs the time until a node looks there anyway.
 */
export interface ClusterStore {
  /** Names this process among the nodes. */
  readonly node: string;
  readonly feed: FeedStore;
  /** Tries that the nodes count together. */
  readonly allowances: AllowanceStore;
  /** Hears the other nodes' signals. Returns what ends it. */
  subscribe(listener: (signal: StoreSignal) => void): () => void;
  /** Tells the other nodes, soon. */
  send(signal: StoreSignal): void;
}

export type StoreSignal =
  /** Events or attempts were committed. */
  | { kind: 'committed' }
  /** Deliveries that nobody has claimed are due; null: of whatever destinations. */
  | { kind: 'due'; destinationKeys: ReadonlySet<number> | null }
  /** Signals may have been missed; never sent. */
  | { kind: 'resumed' };

/** Everything up to these sequence numbers. */
export interface LivePosition {
  eventSeq: number;
  attemptSeq: number;
}

/** Whose events and attempts somebody follows. */
export interface FeedWatch {
  userIds: string[];
  endpointKeys: number[];
}

export interface FeedItems {
  events: { event: EventSummary; userId: string; endpointKey: number }[];
  attempts: SettledAttempt[];
  /** What there is up to here is told: where to go on. */
  position: LivePosition;
  /** Whether there is more: at once, once what is being committed is, or with the next signal. */
  more: 'now' | 'soon' | 'no';
}

export interface FeedStore {
  /**
   * What any node committed after a position, of those watched, in order, and at
   * most `limit` of each kind. Without gaps: nothing appears later at or below
   * the position that it answers.
   */
  read(after: LivePosition, watch: FeedWatch, limit: number): Promise<FeedItems>;
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
  /**
   * How many events an endpoint has, and how many were received in each hour of
   * the window. Without effect on captures, however many there are. All zero for
   * an endpoint that was deleted. Rejects like `list`.
   */
  eventActivity(
    endpointKey: number,
    window: HourWindow,
    signal?: AbortSignal,
  ): Promise<EventActivity>;
  /**
   * Attempts begun in each hour of the window, by hour and destination id, those
   * of destinations that were removed left out; nothing where there was none. A
   * backend may leave out what lies further back than the newest 500,000
   * attempts of the whole store. Rejects like `list`.
   */
  attemptActivity(
    endpointKey: number,
    window: HourWindow,
    signal?: AbortSignal,
  ): Promise<AttemptActivity[]>;
}

/** So many hours from a moment on. */
export interface HourWindow {
  from: number;
  hours: number;
}

export interface EventActivity {
  /** All events, by their status now. */
  totals: Record<EventStatus, number>;
  /** Events received in each hour of the window. */
  received: number[];
}

export interface AttemptActivity {
  destinationId: string;
  /** Of the window, from 0. */
  hour: number;
  /** Attempts that got a 2xx. */
  succeeded: number;
  failed: number;
  /** Of all of them together, and of the slowest. */
  totalMs: number;
  maxMs: number;
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

/**
 * What live streams resume from. Reads in sequence show no number before every
 * smaller one is there to be read: who goes on after the last has missed none.
 */
export interface LiveStore {
  /** The newest sequence numbers that can be read, 0 where there is nothing. */
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
  /**
   * Of those, of destinations that aren't proven (`core/proven.ts`), one of each:
   * it has one slot, and the backlog of one must not keep the others out.
   * Without it, any number.
   */
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
   * `limit` and `suspectLimit` in all, none of the destinations in `skip`. Fewer of
   * one than may be claimed of it mean that nothing else of it is due, or somebody
   * else is claiming it now. When both kinds are cut short, each has its share.
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
   * Moves the times of open deliveries by `byMs`: the wall clock was set, and
   * what was due in seconds would else be due in an hour, or at once. With
   * `only`, those later than `after` and before `before` alone: what was written
   * by the new time already stays. Once, when several nodes saw it.
   */
  shiftDue(byMs: number, only?: { after: number; before: number }): Promise<void>;
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
