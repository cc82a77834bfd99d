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
 * reads new facts by cursors and folds them into streaks. One commit saves streaks and cursor, so a
 * crash loses no fact and counts none twice. Several nodes may do this at once. `save` refuses a
 * change that is based on an older cursor or issue version.
 *
 * A read by sequence number returns a number only when all smaller ones can be read.
 */
export interface IssueStore {
  /**
   * Returns a page of the scope's issues, last changed first, and their number. Omits forming ones.
   */
  list(scope: IssueScope, filter: IssueFilter, window: IssueWindow): Promise<IssuePage>;
  /** Returns null if the scope has no such issue. */
  find(scope: IssueScope, id: string): Promise<NamedIssue | null>;
  /**
   * Sets the state that a person chose. Returns null if the scope has no such issue. Returns
   * `changed`, and changes nothing, if the issue no longer has this version.
   */
  setState(
    scope: IssueScope,
    id: string,
    change: { version: number; state: SettableState; lastAt: number; notifyAt: number | null },
  ): Promise<NamedIssue | 'changed' | null>;

  /**
   * Returns a cursor's position, or 0 if none is saved. Migrations start all cursors at the end.
   */
  cursor(name: CursorName): Promise<number>;
  /**
   * Returns the attempts after `after`, in order. Reads at most `limit` rows. The next page starts
   * at `scannedTo`, which equals `after` at the end.
   *
   * Omits replays to one-off URLs, deleted endpoints and removed destinations. Also omits a success
   * if its destination has no streak of kind `delivery` or `alert`. A resolved issue with an empty
   * `streak` has no streak.
   */
  attemptFacts(after: number, limit: number): Promise<FactPage<AttemptFact>>;
  /** Returns duplicates whose body differs from the first event's. Pages like `attemptFacts`. */
  conflictFacts(after: number, limit: number): Promise<FactPage<EventFact>>;
  /** Returns events that couldn't be judged, without duplicates. Pages like `attemptFacts`. */
  unjudgedFacts(after: number, limit: number): Promise<FactPage<EventFact>>;
  /**
   * Returns events that a destination's filter dropped because an operator can't take a value. There
   * is one fact for each destination. Omits removed destinations. Pages like `attemptFacts`.
   */
  uncomparableFacts(after: number, limit: number): Promise<FactPage<EventFact>>;
  /** Returns failed verifications. Pages like `attemptFacts`. */
  failureFacts(of: FailureCursor, after: number, limit: number): Promise<FactPage<FailureFact>>;
  /**
   * Returns destinations with waiting deliveries, by key, at most `limit` after `afterKey`. Omits
   * internal destinations.
   */
  lanes(afterKey: number, limit: number): Promise<WaitingDestination[]>;
  /** Returns endpoints that have a source, with their newest outcomes. Pages like `lanes`. */
  outcomes(afterKey: number, limit: number): Promise<SourceOutcomes[]>;
  /** Returns endpoints whose source has an unconfirmed secret. Pages like `lanes`. */
  broughtSecrets(afterKey: number, limit: number): Promise<BroughtSeen[]>;
  /** Returns endpoints that expect events. Pages like `lanes`. */
  expectations(afterKey: number, limit: number): Promise<Expectation[]>;
  /** Returns the given endpoints that expect events, by key. */
  expectationsOf(endpointKeys: readonly number[]): Promise<Expectation[]>;
  /**
   * Returns which of these destinations are removed or have no open delivery. Attempts up to number
   * `upTo` ended their deliveries. `attemptFacts` returns these attempts only once all smaller
   * numbers are committed.
   */
  idle(destinationKeys: readonly number[]): Promise<{ destinations: Set<number>; upTo: number }>;

  /** Returns the issues with these causes, in any state. */
  byCauses(causes: readonly IssueCause[]): Promise<Issue[]>;
  /** Returns the issues of these kinds at these destinations, in any state, at most 10,000. */
  byDestinations(destinationKeys: readonly number[], kinds: readonly IssueKind[]): Promise<Issue[]>;
  /**
   * Returns issues that a successful attempt may close: forming, open and acknowledged ones of kind
   * `delivery` and `alert`. Pages like `lanes`.
   */
  closing(afterKey: number, limit: number): Promise<Issue[]>;
  /** Returns open and acknowledged issues of a kind. Pages like `lanes`. */
  openOf(kind: IssueKind, afterKey: number, limit: number): Promise<Issue[]>;
  /**
   * Commits a fold. Returns false, and saves nothing, if the fold is based on outdated values. The
   * caller then reads again.
   */
  save(fold: Fold): Promise<boolean>;

  /**
   * Returns issues whose notification is due, longest due first, at most `limit`. Omits the
   * accounts `exceptUserIds`.
   */
  toNotify(now: number, limit: number, exceptUserIds: readonly string[]): Promise<NamedIssue[]>;
  /** Returns how many issues of an account were notified since `since`. */
  notifiedSince(userId: string, since: number): Promise<number>;
  /**
   * Records notifications and queues their messages, in one commit. Returns false, and saves
   * nothing, if an issue's state or due time has changed. The caller then reads again. A changed
   * count doesn't matter. Drops messages as `queue` does.
   */
  saveNotified(
    issues: readonly NotifiedIssue[],
    messages: readonly ChannelMessage[],
  ): Promise<boolean>;
  /**
   * Queues messages without an issue: tests and confirmations. Drops a message if its channel is
   * removed, or has another token because its address changed.
   */
  queue(messages: readonly ChannelMessage[]): Promise<void>;
  /** Returns messages in queue order, at most `limit`. */
  queued(limit: number): Promise<ChannelMessage[]>;
  /** Removes captured messages from the queue. */
  captured(ids: readonly string[]): Promise<void>;

  /**
   * Records that a server is up at `now`. Returns the previous heartbeat, or null if there is none.
   * A longer time than `gapMs` between them doesn't count as silence: the same commit moves the
   * start of each expectation by that time.
   */
  heartbeat(now: number, gapMs: number): Promise<{ before: number | null }>;
  /** Deletes resolved issues with `lastAt` before `before`, oldest first, at most `most`. */
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

/** `attempts`: attempt numbers. `conflicts`, `unjudged`, `uncomparable`: event numbers. */
export type CursorName = 'attempts' | 'conflicts' | 'unjudged' | 'uncomparable' | FailureCursor;

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

export interface WaitingDestination {
  destinationKey: number;
  endpointKey: number;
  userId: string;
  /** The state that the owner sets. */
  state: 'active' | 'paused' | 'disabled';
  isBreakerOpen: boolean;
  /** The oldest due time of the open deliveries, Unix ms. */
  oldestDueAt: number;
  /** The event whose delivery has waited longest. */
  oldest: { eventId: string; receivedAt: number };
  /** The endpoint's own retention, ms; null for the server's default. */
  retentionMs: number | null;
}

/** The verification results of the newest requests to an endpoint. */
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
  /** Whether any event older than `outcomes` has passed verification. */
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
  /** New issues, whose causes have no issue yet. The store adds a key and version 1. */
  added: readonly Omit<Issue, 'key' | 'version'>[];
  /**
   * Changed issues with all their values. `version` is the version before the change. The store
   * adds 1.
   */
  changed: readonly Issue[];
  /** Forming issues to delete, because their problem is over. */
  dropped: readonly Pick<Issue, 'key' | 'version'>[];
}

export interface NotifiedIssue extends Pick<Issue, 'key' | 'notified' | 'notifiedAt' | 'notifyAt'> {
  /** The issue's state and due time on which the notification is based. */
  due: { state: Issue['state']; notifyAt: number | null };
  /** The new explanation. Default: unchanged */
  explanation?: Issue['explanation'];
}
