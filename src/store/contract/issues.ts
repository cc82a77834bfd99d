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
 * Issues, and the facts that cause them.
 *
 * Captures and settlements write nothing for issues. Instead, the keeper (`maintenance/issues`)
 * works in rounds. It reads new facts by cursors and folds them into streaks. One commit saves
 * streaks and cursor, so a crash loses no fact and counts none twice. Several nodes may do this at
 * once: `save` refuses a change that is based on an older cursor or an older version of an issue.
 *
 * A read in the order of sequence numbers returns a number only when every smaller one can be read.
 */
export interface IssueStore {
  /**
   * Returns a page of the scope's issues, last changed first, and their number. Leaves out forming
   * ones.
   */
  list(scope: IssueScope, filter: IssueFilter, window: IssueWindow): Promise<IssuePage>;
  /** Returns null if the scope has no such issue. */
  find(scope: IssueScope, id: string): Promise<NamedIssue | null>;
  /**
   * Sets the state that a person chose. Returns `changed`, and changes nothing, if the issue no
   * longer has the version that the change is based on. Returns null if the scope has no such
   * issue.
   */
  setState(
    scope: IssueScope,
    id: string,
    change: { version: number; state: SettableState; lastAt: number; notifyAt: number | null },
  ): Promise<NamedIssue | 'changed' | null>;

  /**
   * Returns the position of a cursor, or 0 if none is saved. Migrations start all cursors at the
   * end.
   */
  cursor(name: CursorName): Promise<number>;
  /**
   * Returns attempts after `after`, in order. Reads at most `limit` rows. The next page starts at
   * `scannedTo`, which equals `after` at the end.
   *
   * Leaves out replays to one-off URLs, deleted endpoints and removed destinations. Also leaves out
   * a success if its destination has no streak of kind `delivery` or `alert`. A resolved issue with
   * an empty `streak` has no streak.
   */
  attemptFacts(after: number, limit: number): Promise<FactPage<AttemptFact>>;
  /**
   * Returns duplicates whose body differs from the first event's, after `after`, in order. Pages
   * like `attemptFacts`.
   */
  conflictFacts(after: number, limit: number): Promise<FactPage<EventFact>>;
  /**
   * Returns events that couldn't be judged, after `after`, in order. Leaves out duplicates. Pages
   * like `attemptFacts`.
   */
  unjudgedFacts(after: number, limit: number): Promise<FactPage<EventFact>>;
  /** Returns failed verifications after `after`, in order. Pages like `attemptFacts`. */
  failureFacts(of: FailureCursor, after: number, limit: number): Promise<FactPage<FailureFact>>;
  /**
   * Returns the destinations with waiting deliveries, by key, at most `limit` after `afterKey`.
   * Leaves out internal destinations.
   */
  lanes(afterKey: number, limit: number): Promise<WaitingDestination[]>;
  /**
   * Returns the endpoints that have a source, with their newest outcomes, by key, at most `limit`
   * after `afterKey`.
   */
  outcomes(afterKey: number, limit: number): Promise<SourceOutcomes[]>;
  /**
   * Returns endpoints whose source has an unconfirmed secret, by key, at most `limit` after
   * `afterKey`.
   */
  broughtSecrets(afterKey: number, limit: number): Promise<BroughtSeen[]>;
  /** Returns endpoints that expect events, by key, at most `limit` after `afterKey`. */
  expectations(afterKey: number, limit: number): Promise<Expectation[]>;
  /** Returns those of these endpoints that expect events, by key. */
  expectationsOf(endpointKeys: readonly number[]): Promise<Expectation[]>;
  /**
   * Returns which of these destinations are removed or have no open delivery. Attempts up to number
   * `upTo` ended their deliveries. `attemptFacts` may not return these attempts yet, because it
   * waits for smaller numbers that aren't committed.
   */
  idle(destinationKeys: readonly number[]): Promise<{ destinations: Set<number>; upTo: number }>;

  /** Returns the issues that have these causes, in any state. */
  byCauses(causes: readonly IssueCause[]): Promise<Issue[]>;
  /** Returns all issues of these kinds at these destinations, in any state, at most 10,000. */
  byDestinations(destinationKeys: readonly number[], kinds: readonly IssueKind[]): Promise<Issue[]>;
  /**
   * Returns issues that may close, because attempts succeeded: forming, open and acknowledged ones
   * of kind `delivery` and `alert`. By key, at most `limit` after `afterKey`.
   */
  closing(afterKey: number, limit: number): Promise<Issue[]>;
  /** Returns open and acknowledged issues of a kind, by key, at most `limit` after `afterKey`. */
  openOf(kind: IssueKind, afterKey: number, limit: number): Promise<Issue[]>;
  /**
   * Commits a fold. Returns false, and saves nothing, if what the fold is based on has changed. The
   * caller then reads again.
   */
  save(fold: Fold): Promise<boolean>;

  /**
   * Returns issues whose notification is due at `now`, the one that is due for longest first, at
   * most `limit`. Leaves out issues of the accounts `exceptUserIds`.
   */
  toNotify(now: number, limit: number, exceptUserIds: readonly string[]): Promise<NamedIssue[]>;
  /** Returns how many issues of an account were notified since `since`. */
  notifiedSince(userId: string, since: number): Promise<number>;
  /**
   * Records notifications of issues and queues their messages, in one commit. Returns false, and
   * saves nothing, if the state or the due time of an issue has changed. The caller then reads
   * again. A changed count of an issue doesn't matter. Drops messages as `queue` does.
   */
  saveNotified(
    issues: readonly NotifiedIssue[],
    messages: readonly ChannelMessage[],
  ): Promise<boolean>;
  /**
   * Queues messages that belong to no issue: tests and confirmations. Drops a message if its
   * channel is removed, or has another token. Another token means another address.
   */
  queue(messages: readonly ChannelMessage[]): Promise<void>;
  /** Returns messages in the order in which they were queued, at most `limit`. */
  queued(limit: number): Promise<ChannelMessage[]>;
  /** Removes captured messages from the queue. */
  captured(ids: readonly string[]): Promise<void>;

  /**
   * Records that a server is up at `now`, and returns the previous such time, or null if there is
   * none. If it is more than `gapMs` ago, the time between doesn't count as silence: the same
   * commit moves the start of each expectation by that time.
   */
  heartbeat(now: number, gapMs: number): Promise<{ before: number | null }>;
  /** Deletes up to `most` resolved issues whose `lastAt` is before `before`, the oldest first. */
  dropResolved(before: number, most: number): Promise<number>;
}

/** An account's issues, or only those at some of its endpoints. */
export interface IssueScope {
  userId: string;
  /** Null for all issues, including those without an endpoint. */
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

/** The deliveries that wait at a destination. */
export interface WaitingDestination {
  destinationKey: number;
  endpointKey: number;
  userId: string;
  /** The destination's state, which its owner sets. */
  state: 'active' | 'paused' | 'disabled';
  isBreakerOpen: boolean;
  /** The oldest due time of its open deliveries, Unix ms. */
  oldestDueAt: number;
  /** The event whose delivery has waited longest. */
  oldest: { eventId: string; receivedAt: number };
  /** The endpoint's own retention, ms; null for the server's. */
  retentionMs: number | null;
}

/** How the newest requests to an endpoint were verified. */
export interface SourceOutcomes {
  endpointKey: number;
  userId: string;
  /** Events that passed or failed, and rejected requests. Newest first, at most `OUTCOMES`. */
  outcomes: {
    at: number;
    passed: boolean;
    /** Null for a rejected request. */
    eventId: string | null;
  }[];
  /** Whether any event older than those in `outcomes` has passed verification. */
  passedBefore: boolean;
}

export interface Expectation {
  endpointKey: number;
  userId: string;
  expectEveryMs: number;
  /**
   * The time without events counts from here or from the last event, whichever is later. Unix ms.
   */
  expectedSince: number;
  lastEvent: { id: string; receivedAt: number } | null;
}

export interface Fold {
  /** Moves a cursor. */
  cursor?: { name: CursorName; before: number; after: number };
  /** New issues. Their causes have no issue yet. The store gives each a key and version 1. */
  added: readonly Omit<Issue, 'key' | 'version'>[];
  /**
   * Changed issues with all their values. `version` is the one that the change is based on. The
   * store adds 1.
   */
  changed: readonly Issue[];
  /** Forming issues to delete, because their problem is over. */
  dropped: readonly Pick<Issue, 'key' | 'version'>[];
}

export interface NotifiedIssue extends Pick<Issue, 'key' | 'notified' | 'notifiedAt' | 'notifyAt'> {
  /** The state and the due time of the issue that the notification is based on. */
  due: { state: Issue['state']; notifyAt: number | null };
  /** The new explanation. Default: the present one stays */
  explanation?: Issue['explanation'];
}
