import type { EventSummary } from '../../core/model.ts';
import type { RuleSource } from '../../core/rules/rule.ts';
import type { SettledAttempt } from './queue.ts';
import type { Scope } from './scope.ts';

/** The events and attempts up to these sequence numbers. */
export interface LivePosition {
  eventSeq: number;
  attemptSeq: number;
}

export interface EventClass {
  seq: number;
  /** From the headers. If they name none, from the body. */
  eventType: string | null;
  /** True if judging takes too many steps. */
  fits: boolean;
}

/**
 * The reads with which live streams start and resume. A read by sequence number returns a number
 * only when all smaller ones can be read. So a reader that continues after its last number misses
 * nothing.
 */
export interface LiveStore {
  /**
   * Returns whether this database has reached a position of a history (`Store.history`). Otherwise
   * the position belongs to another database, or a restore lost commits. Later numbers may then
   * belong to other events.
   */
  includes(history: string, position: LivePosition): Promise<boolean>;
  /** Returns the newest sequence numbers that can be read; 0 if there is none. */
  lastSequences(): Promise<{ eventSeq: number; attemptSeq: number }>;
  /**
   * Returns where a stream from `time` on starts: just before the scope's first event and first
   * attempt at or after `time`.
   */
  sequencesAt(scope: Scope, time: number): Promise<{ eventSeq: number; attemptSeq: number }>;
  /**
   * Reads event types from contents, and tests whether the events match a rule. Omits events that
   * are gone.
   *
   * @param seqs at most a few hundred
   * @param where null matches every event
   */
  classify(seqs: readonly number[], where: RuleSource | null): Promise<EventClass[]>;
  /** Returns the scope's events after `seq`, in order, at most `limit`. */
  eventsAfter(scope: Scope, seq: number, limit: number): Promise<EventSummary[]>;
  /**
   * Returns the scope's attempts settled after `seq`, in order. Reads at most `limit` rows of all
   * accounts. The next page starts at `scannedTo`, which equals `seq` at the end.
   */
  attemptsAfter(
    scope: Scope,
    seq: number,
    limit: number,
  ): Promise<{ attempts: SettledAttempt[]; scannedTo: number }>;
}
