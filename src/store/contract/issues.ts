import type { ChannelMessage } from '../../core/channels/channel.ts';
import type { BroughtSeen } from '../../core/issues/brought-secret.ts';
import type { AttemptSeen } from '../../core/issues/delivery-streak.ts';
import type { EventSeen } from '../../core/issues/event-streak.ts';
import type {
  Issue,
  IssueCause,
  IssueKind,
  IssueState,
  NamedIssue,
  SettableState,
} from '../../core/issues/issue.ts';
import type { FailureSeen } from '../../core/issues/verification-streak.ts';

/**
 * Issues, and what they are made of.
 *
 * Nothing is written for an issue while events are captured or attempts are settled. The
 * keeper (`maintenance/issues`) reads what the store has, by cursors and in rounds, folds
 * it into streaks, and saves streaks and cursor in one commit. So a crash loses no fact and
 * counts none twice. Several nodes may do so at once: `save` refuses a change that is based
 * on an older cursor or an older version of an issue.
 *
 * Reads in sequence show a number only when every smaller one can be read.
 */
export interface IssueStore {
  /** A page of an account's issues, the last changed first, and their exact number. Without forming ones. */
  list(scope: IssueScope, filter: IssueFilter, window: IssueWindow): Promise<IssuePage>;
  /** Null when the scope has no such issue. */
  find(scope: IssueScope, id: string): Promise<NamedIssue | null>;
  /**
   * Sets a state for a person. `changed` where the issue no longer has the version that
   * the change is based on. Null when the scope has no such issue.
   */
  setState(
    scope: IssueScope,
    id: string,
    change: { version: number; state: SettableState; lastAt: number; notifyAt: number | null },
  ): Promise<NamedIssue | 'changed' | null>;

  /** Where a cursor stands; 0 before it was ever saved. The migrations start all at the end. */
  cursor(name: CursorName): Promise<number>;
  /**
   * Attempts after `after`, in order. Leaves out successes at destinations without a streak
   * of kind `delivery` or `alert` (a resolved issue whose `streak` is empty has none),
   * replays to one-off URLs, and what is deleted or removed. Reads at most `limit` rows. `scannedTo` is where to continue; it equals `after` at the end.
   */
  attemptFacts(after: number, limit: number): Promise<FactPage<AttemptFact>>;
  /** Duplicates with another body, after `after`, in order. Like `attemptFacts`. */
  conflictFacts(after: number, limit: number): Promise<FactPage<EventFact>>;
  /** Events that couldn't be judged, without duplicates, after `after`, in order. Like `attemptFacts`. */
  unjudgedFacts(after: number, limit: number): Promise<FactPage<EventFact>>;
  /** Failed verifications after `after`, in order. Like `attemptFacts`. */
  failureFacts(of: FailureCursor, after: number, limit: number): Promise<FactPage<FailureFact>>;
  /**
   * What waits at destinations, by destination key, at most `limit` after `afterKey`.
   * Leaves out destinations where nothing waits, and internal ones.
   */
  lanes(afterKey: number, limit: number): Promise<WaitingDestination[]>;
  /** Endpoints with a source, by key, at most `limit` after `afterKey`, with their newest outcomes. */
  outcomes(afterKey: number, limit: number): Promise<SourceOutcomes[]>;
  /** Endpoints whose source has a secret that nobody has confirmed, by key, like `outcomes`. */
  broughtSecrets(afterKey: number, limit: number): Promise<BroughtSeen[]>;
  /** Endpoints that expect events, by key, at most `limit` after `afterKey`. */
  expectations(afterKey: number, limit: number): Promise<Expectation[]>;
  /** Those of these endpoints that expect events, by key. */
  expectationsOf(endpointKeys: readonly number[]): Promise<Expectation[]>;
  /**
   * Which of these destinations have no open delivery, or are removed. What ended their
   * deliveries are attempts up to `upTo`: facts are read that far only later, where a
   * smaller number isn't committed yet.
   */
  idle(destinationKeys: readonly number[]): Promise<{ destinations: Set<number>; upTo: number }>;

  /** The issues of these causes that exist, in any state. */
  byCauses(causes: readonly IssueCause[]): Promise<Issue[]>;
  /** All issues of these kinds at these places, in any state, forming ones too. At most 10,000. */
  byDestinations(destinationKeys: readonly number[], kinds: readonly IssueKind[]): Promise<Issue[]>;
  /**
   * Issues with successes that may close (forming, open and acknowledged ones of kind
   * `delivery` and `alert`), by key, at most `limit` after `afterKey`.
   */
  closing(afterKey: number, limit: number): Promise<Issue[]>;
  /** Open and acknowledged issues of a kind, by key, at most `limit` after `afterKey`. */
  openOf(kind: IssueKind, afterKey: number, limit: number): Promise<Issue[]>;
  /** Commits a fold. False where its basis has changed: nothing is saved, look again. */
  save(fold: Fold): Promise<boolean>;

  /**
   * Issues that channels are to be told of by `now`, those that wait longest first, at most
   * `limit`. Leaves out those of the accounts `exceptUserIds`.
   */
  toNotify(now: number, limit: number, exceptUserIds: readonly string[]): Promise<NamedIssue[]>;
  /** How many openings channels of an account were told of since then. */
  notifiedSince(userId: string, since: number): Promise<number>;
  /**
   * Commits that issues are told, and queues the messages. False where an issue is no longer
   * due as it was: nothing is saved, look again. A busy cause counts on meanwhile, and may.
   * Drops messages as `queue` does.
   */
  saveNotified(
    told: readonly NotifiedIssue[],
    messages: readonly ChannelMessage[],
  ): Promise<boolean>;
  /**
   * Queues messages of their own: tests and confirmations. Drops those whose channel is
   * removed or has another token: they were for another address.
   */
  queue(messages: readonly ChannelMessage[]): Promise<void>;
  /** Messages in the order in which they were queued, at most `limit`. */
  queued(limit: number): Promise<ChannelMessage[]>;
  /** Forgets messages that are captured. */
  captured(ids: readonly string[]): Promise<void>;

  /**
   * Notes that a server of this data is up at `now`, and returns when the last one was.
   * Where that is longer ago than `gapMs`, the time between them counts for no silence:
   * each expectation starts later by it, in the same commit.
   */
  heartbeat(now: number, gapMs: number): Promise<{ before: number | null }>;
  /** Deletes up to `most` resolved issues whose `lastAt` is before `before`, the oldest first. */
  dropResolved(before: number, most: number): Promise<number>;
}

/** An account's issues; only those at the endpoints where some are named. */
export interface IssueScope {
  userId: string;
  /** Null for all, and for issues without an endpoint. */
  endpointIds: readonly string[] | null;
}

export interface IssueFilter {
  state?: IssueState;
  kind?: IssueKind;
  endpointId?: string;
}

export interface IssueWindow {
  offset: number;
  limit: number;
}

export interface IssuePage {
  issues: NamedIssue[];
  total: number;
}

/** `attempts`: attempt numbers. `conflicts`, `unjudged`: event numbers. */
export type CursorName = 'attempts' | 'conflicts' | 'unjudged' | FailureCursor;

/** `failures`: events that failed their verification. `rejections`: rejected requests. */
export type FailureCursor = 'failures' | 'rejections';

export interface FactPage<T> {
  facts: T[];
  scannedTo: number;
}

export interface AttemptFact extends AttemptSeen {
  seq: number;
}

export interface FailureFact extends FailureSeen {
  seq: number;
}

export interface EventFact extends EventSeen {
  seq: number;
}

/** What waits at a destination. */
export interface WaitingDestination {
  destinationKey: number;
  endpointKey: number;
  userId: string;
  /** The state that its owner has set. */
  state: 'active' | 'paused' | 'disabled';
  isBreakerOpen: boolean;
  /** When the oldest due time of what waits is, Unix ms. */
  oldestDueAt: number;
  /** The event that waits longest. */
  oldest: { eventId: string; receivedAt: number };
  /** The endpoint's own retention, ms; null for the server's. */
  retentionMs: number | null;
}

/** How an endpoint's newest requests were verified. */
export interface SourceOutcomes {
  endpointKey: number;
  userId: string;
  /** Newest first, at most `OUTCOMES`, verified and failed ones and rejected requests alone. */
  outcomes: {
    at: number;
    passed: boolean /** Null for a rejected request. */;
    eventId: string | null;
  }[];
  /** Whether any event before those has passed. */
  passedBefore: boolean;
}
export interface Expectation {
  endpointKey: number;
  userId: string;
  /** ms. */
  expectEveryMs: number;
  /** Silence counts from here, and from the last event. */
  expectedSince: number;
  lastEvent: { id: string; receivedAt: number } | null;
}

export interface Fold {
  /** Moves a cursor. */
  cursor?: { name: CursorName; before: number; after: number };
  /** New issues: of causes that have none. Their key is given by the store, and their version is 1. */
  added: readonly Omit<Issue, 'key' | 'version'>[];
  /** Whole issues. `version` is the one that the change is based on; the store adds 1. */
  changed: readonly Issue[];
  /** Forming issues that are over. */
  dropped: readonly Pick<Issue, 'key' | 'version'>[];
}

export interface NotifiedIssue extends Pick<Issue, 'key' | 'notified' | 'notifiedAt' | 'notifyAt'> {
  /** What the change is based on: the state that is told, and when it was due. */
  due: { state: Issue['state']; notifyAt: number | null };
  /** Set where it is given. */
  explanation?: Issue['explanation'];
}
