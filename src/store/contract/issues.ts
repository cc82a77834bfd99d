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
 * Issues, and the facts from which they are made.
 *
 * Captures and settlements write nothing for issues. In rounds, the keeper
 * (`maintenance/issues`) reads new facts by cursors, folds them into streaks, and saves
 * streaks and cursor in one commit. So a crash loses no fact and counts none twice. Several
 * nodes may do this at once: `save` refuses a change that is based on an older cursor or an
 * older version of an issue.
 *
 * Reads in sequence show a number only when every smaller one can be read.
 */
export interface IssueStore {
  /** A page of the scope's issues, last changed first, and their number. Without forming ones. */
  list(scope: IssueScope, filter: IssueFilter, window: IssueWindow): Promise<IssuePage>;
  /** Null when the scope has no such issue. */
  find(scope: IssueScope, id: string): Promise<NamedIssue | null>;
  /**
   * Sets the state that a person chose. `changed` if the issue no longer has the version
   * that the change is based on. Null when the scope has no such issue.
   */
  setState(
    scope: IssueScope,
    id: string,
    change: { version: number; state: SettableState; lastAt: number; notifyAt: number | null },
  ): Promise<NamedIssue | 'changed' | null>;

  /** The position of a cursor; 0 until it is saved. Migrations start all cursors at the end. */
  cursor(name: CursorName): Promise<number>;
  /**
   * Attempts after `after`, in order. Leaves out replays to one-off URLs, deleted endpoints,
   * removed destinations, and successes at destinations without a streak of kind `delivery`
   * or `alert` (a resolved issue with an empty `streak` counts as none). Reads at most
   * `limit` rows. The next page starts at `scannedTo`, which equals `after` at the end.
   */
  attemptFacts(after: number, limit: number): Promise<FactPage<AttemptFact>>;
  /** Duplicates with another body, after `after`, in order. Like `attemptFacts`. */
  conflictFacts(after: number, limit: number): Promise<FactPage<EventFact>>;
  /** Events without a verdict, without duplicates, after `after`, in order. Like `attemptFacts`. */
  unjudgedFacts(after: number, limit: number): Promise<FactPage<EventFact>>;
  /** Failed verifications after `after`, in order. Like `attemptFacts`. */
  failureFacts(of: FailureCursor, after: number, limit: number): Promise<FactPage<FailureFact>>;
  /**
   * The destinations where something waits, by key, at most `limit` after `afterKey`. Leaves
   * out internal ones.
   */
  lanes(afterKey: number, limit: number): Promise<WaitingDestination[]>;
  /** Endpoints with a source, with their newest outcomes, by key, like `broughtSecrets`. */
  outcomes(afterKey: number, limit: number): Promise<SourceOutcomes[]>;
  /** Endpoints whose source has an unconfirmed secret, by key, at most `limit` after `afterKey`. */
  broughtSecrets(afterKey: number, limit: number): Promise<BroughtSeen[]>;
  /** Endpoints that expect events, by key, at most `limit` after `afterKey`. */
  expectations(afterKey: number, limit: number): Promise<Expectation[]>;
  /** The endpoints among these that expect events, by key. */
  expectationsOf(endpointKeys: readonly number[]): Promise<Expectation[]>;
  /**
   * Which of these destinations have no open delivery, or are removed. Attempts up to `upTo`
   * ended their deliveries. `attemptFacts` may not show them yet, because it waits for
   * smaller numbers that aren't committed.
   */
  idle(destinationKeys: readonly number[]): Promise<{ destinations: Set<number>; upTo: number }>;

  /** The issues of these causes that exist, in any state. */
  byCauses(causes: readonly IssueCause[]): Promise<Issue[]>;
  /** All issues of these kinds at these destinations, in any state, at most 10,000. */
  byDestinations(destinationKeys: readonly number[], kinds: readonly IssueKind[]): Promise<Issue[]>;
  /**
   * Issues with successes, which may close: forming, open and acknowledged ones of kind
   * `delivery` and `alert`. By key, at most `limit` after `afterKey`.
   */
  closing(afterKey: number, limit: number): Promise<Issue[]>;
  /** Open and acknowledged issues of a kind, by key, at most `limit` after `afterKey`. */
  openOf(kind: IssueKind, afterKey: number, limit: number): Promise<Issue[]>;
  /** Commits a fold. False, and nothing is saved, if its basis has changed: read again. */
  save(fold: Fold): Promise<boolean>;

  /**
   * Issues whose notification is due at `now`, longest due first, at most `limit`. Leaves
   * out those of the accounts `exceptUserIds`.
   */
  toNotify(now: number, limit: number, exceptUserIds: readonly string[]): Promise<NamedIssue[]>;
  /** How many issues of an account had a notification since then. */
  notifiedSince(userId: string, since: number): Promise<number>;
  /**
   * Records notifications of issues and queues their messages, in one commit. False, and
   * nothing is saved, if the state or the due time of an issue has changed: read again. Its
   * count may change meanwhile. Drops messages as `queue` does.
   */
  saveNotified(
    issues: readonly NotifiedIssue[],
    messages: readonly ChannelMessage[],
  ): Promise<boolean>;
  /**
   * Queues messages without an issue: tests and confirmations. Drops those whose channel is
   * removed, or has another token and thus another address.
   */
  queue(messages: readonly ChannelMessage[]): Promise<void>;
  /** Messages in the order in which they were queued, at most `limit`. */
  queued(limit: number): Promise<ChannelMessage[]>;
  /** Removes captured messages from the queue. */
  captured(ids: readonly string[]): Promise<void>;

  /**
   * Records that a server is up at `now`, and returns the previous such time. If that is
   * longer ago than `gapMs`, the gap doesn't count as silence: the same commit starts each
   * expectation later by the gap.
   */
  heartbeat(now: number, gapMs: number): Promise<{ before: number | null }>;
  /** Deletes up to `most` resolved issues whose `lastAt` is before `before`, the oldest first. */
  dropResolved(before: number, most: number): Promise<number>;
}

/** An account's issues, or only those at some of its endpoints. */
export interface IssueScope {
  userId: string;
  /** Null for all issues, also those without an endpoint. */
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
  /** The oldest due time of its open deliveries, Unix ms. */
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
  /** Newest first, at most `OUTCOMES`: events that passed or failed, and rejected requests. */
  outcomes: {
    at: number;
    passed: boolean;
    /** Null for a rejected request. */
    eventId: string | null;
  }[];
  /** Whether any earlier event has passed. */
  passedBefore: boolean;
}

export interface Expectation {
  endpointKey: number;
  userId: string;
  expectEveryMs: number;
  /** Silence counts from here or from the last event, whichever is later. */
  expectedSince: number;
  lastEvent: { id: string; receivedAt: number } | null;
}

export interface Fold {
  /** Moves a cursor. */
  cursor?: { name: CursorName; before: number; after: number };
  /** New issues, of causes without one. The store gives them their key and version 1. */
  added: readonly Omit<Issue, 'key' | 'version'>[];
  /** Whole issues. `version` is the one that the change is based on. The store adds 1. */
  changed: readonly Issue[];
  /** Forming issues that are over. */
  dropped: readonly Pick<Issue, 'key' | 'version'>[];
}

export interface NotifiedIssue extends Pick<Issue, 'key' | 'notified' | 'notifiedAt' | 'notifyAt'> {
  /** What the notification is based on: the issue's state, and when it was due. */
  due: { state: Issue['state']; notifyAt: number | null };
  /** The new explanation. Default: the present one stays */
  explanation?: Issue['explanation'];
}
