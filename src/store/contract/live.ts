import type { EventSummary } from '../../core/model.ts';
import type { RuleSource } from '../../core/rules/rule.ts';
import type { SettledAttempt } from './queue.ts';
import type { Scope } from './scope.ts';

/** The events and attempts up to these sequence numbers. */
export interface LivePosition {
  eventSeq: number;
  attemptSeq: number;
}

/** What the content of an event says. */
export interface EventClass {
  seq: number;
  /** From the headers or otherwise from the body. */
  eventType: string | null;
  /** True where judging takes too many steps. */
  fits: boolean;
}

/**
 * The reads from which live streams start and resume. Reads in sequence show a number
 * only when every smaller one can be read: a reader that continues after the last
 * number has missed none.
 */
export interface LiveStore {
  /**
   * Whether this database has reached a position of a history (`Store.history`). If
   * not, commits up to the position were lost, or the position is another database's:
   * numbers after it may now belong to other events.
   */
  includes(history: string, position: LivePosition): Promise<boolean>;
  /** The newest sequence numbers that can be read; 0 when there is none. */
  lastSequences(): Promise<{ eventSeq: number; attemptSeq: number }>;
  /**
   * Where a stream from `time` on starts: the sequence number just before the scope's
   * first event at or after `time`, and the one just before its first such attempt.
   */
  sequencesAt(scope: Scope, time: number): Promise<{ eventSeq: number; attemptSeq: number }>;
  /**
   * Looks into the contents of events: their types, and whether they fit a rule. Leaves
   * out events that are gone.
   *
   * @param seqs at most a few hundred
   * @param where null fits every event
   */
  classify(seqs: readonly number[], where: RuleSource | null): Promise<EventClass[]>;
  /** Events captured after `seq`, in order, at most `limit`. */
  eventsAfter(scope: Scope, seq: number, limit: number): Promise<EventSummary[]>;
  /**
   * Attempts settled after `seq`, in order. Reads at most `limit` rows, of any
   * account. `scannedTo` is where to continue; it equals `seq` at the end.
   */
  attemptsAfter(
    scope: Scope,
    seq: number,
    limit: number,
  ): Promise<{ attempts: SettledAttempt[]; scannedTo: number }>;
}
