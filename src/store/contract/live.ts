import type { EventSummary } from '../../core/model.ts';
import type { SettledAttempt } from './queue.ts';

/** Everything up to these sequence numbers. */
export interface LivePosition {
  eventSeq: number;
  attemptSeq: number;
}

/** Who may see a thing: all endpoints of an account, or one of them. */
export type Scope = { userId: string } | { endpointKey: number };

/**
 * What live streams resume from. Reads in sequence show no number before every
 * smaller one is there to be read: who goes on after the last has missed none.
 */
export interface LiveStore {
  /**
   * Whether this database has been at a position of a history (`Store.history`).
   * If not, commits up to it were lost, or it is of another database: numbers from
   * there on may be of other events by now.
   */
  includes(history: string, position: LivePosition): Promise<boolean>;
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
