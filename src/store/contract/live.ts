import type { EventSummary } from '../../core/model.ts';
import type { RuleSource } from '../../core/rules/rule.ts';
import type { SettledAttempt } from './queue.ts';
import type { Scope } from './scope.ts';

/** The events and attempts up to these sequence numbers. */
export interface LivePosition {
  eventSeq: number;
  attemptSeq: number;
}

/** The type of an event, and whether the event fits a rule. */
export interface EventClass {
  seq: number;
  /** From the headers. If they name none, from the body. */
  eventType: string | null;
  /** True if judging takes too many steps. */
  fits: boolean;
}

/**
 * The reads with which live streams start and resume. A read in the order of sequence numbers
 * returns a number only when every smaller one can be read. So a reader that continues after its
 * last number misses nothing.
 */
export interface LiveStore {
  /**
   * Returns whether this database has reached a position of a history (`Store.history`). If it
   * hasn't, the position belongs to another database, or a restore lost commits. Numbers after the
   * position may then belong to other events.
   */
  includes(history: string, position: LivePosition): Promise<boolean>;
  /** Returns the newest sequence numbers that can be read; 0 if there is none. */
  lastSequences(): Promise<{ eventSeq: number; attemptSeq: number }>;
  /**
   * Returns where a stream from `time` on starts: the sequence numbers just before the scope's
   * first event and its first attempt at or after `time`.
   */
  sequencesAt(scope: Scope, time: number): Promise<{ eventSeq: number; attemptSeq: number }>;
  /**
   * Reads the types of events from their contents, and tests whether the events fit a rule. Leaves
   * out events that are gone.
   *
   * @param seqs at most a few hundred
   * @param where null fits every event
   */
  classify(seqs: readonly number[], where: RuleSource | null): Promise<EventClass[]>;
  /** Returns the scope's events captured after `seq`, in order, at most `limit`. */
  eventsAfter(scope: Scope, seq: number, limit: number): Promise<EventSummary[]>;
  /**
   * Returns the scope's attempts settled after `seq`, in order. Reads at most `limit` rows,
   * whatever account they belong to. The next page starts at `scannedTo`, which equals `seq` at the
   * end.
   */
  attemptsAfter(
    scope: Scope,
    seq: number,
    limit: number,
  ): Promise<{ attempts: SettledAttempt[]; scannedTo: number }>;
}
