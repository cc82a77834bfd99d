import type { EventSummary } from '../../core/model.ts';
import type { RuleSource } from '../../core/rules/rule.ts';
import type { SettledAttempt } from './queue.ts';
import type { Scope } from './scope.ts';

/** The events and attempts up to these sequence numbers. */
export interface LivePosition {
  eventSeq: number;
  attemptSeq: number;
}

/** What an event's content shows. */
export interface EventClass {
  seq: number;
  /** From the headers or otherwise from the body. */
  eventType: string | null;
  /** True where judging takes too many steps. */
  fits: boolean;
}

/**
 * The reads by which live streams start and resume. Reads in sequence show a number only
 * when every smaller one can be read. So a reader that continues after the last number
 * misses nothing.
 */
export interface LiveStore {
  /**
   * Whether this database has reached a position of a history (`Store.history`). If not,
   * the position is another database's, or a restore lost commits: numbers after it may now
   * belong to other events.
   */
  includes(history: string, position: LivePosition): Promise<boolean>;
  /** The newest sequence numbers that can be read; 0 if there is none. */
  lastSequences(): Promise<{ eventSeq: number; attemptSeq: number }>;
  /**
   * Where a stream from `time` on starts: the sequence numbers just before the scope's first
   * event and its first attempt at or after `time`.
   */
  sequencesAt(scope: Scope, time: number): Promise<{ eventSeq: number; attemptSeq: number }>;
  /**
   * Reads the types of events from their contents, and tests whether they fit a rule. Leaves
   * out events that are gone.
   *
   * @param seqs at most a few hundred
   * @param where null fits every event
   */
  classify(seqs: readonly number[], where: RuleSource | null): Promise<EventClass[]>;
  /** Events captured after `seq`, in order, at most `limit`. */
  eventsAfter(scope: Scope, seq: number, limit: number): Promise<EventSummary[]>;
  /**
   * The scope's attempts settled after `seq`, in order. Reads at most `limit` rows, of all
   * accounts. The next page starts at `scannedTo`, which equals `seq` at the end.
   */
  attemptsAfter(
    scope: Scope,
    seq: number,
    limit: number,
  ): Promise<{ attempts: SettledAttempt[]; scannedTo: number }>;
}
