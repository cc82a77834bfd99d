import type { Database } from 'better-sqlite3';
import type { EventSummary } from '../../core/model.ts';
import type { LivePosition, LiveStore, Scope } from '../contract/live.ts';
import type { SettledAttempt } from '../contract/queue.ts';
import { LONGEST_ATTEMPT_MS } from '../shared/activity.ts';
import { statusOf } from '../shared/codes.ts';
import { SUMMARY_COLUMNS, type SummaryRow, summaryOf } from './event-summary.ts';
import { ATTEMPT_COLUMNS, ATTEMPT_TABLES, type AttemptRow, attemptOf } from './events.ts';

interface SettledRow extends AttemptRow {
  eventStatus: number;
  userId: string;
  endpointKey: number;
}

export class SqliteLive implements LiveStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async includes(history: string, { eventSeq, attemptSeq }: LivePosition): Promise<boolean> {
    const generation = this.#db
      .prepare<[], string>("SELECT value FROM meta WHERE name = 'generation'")
      .pluck()
      .get();
    const last = await this.lastSequences();
    return history === generation && eventSeq <= last.eventSeq && attemptSeq <= last.attemptSeq;
  }

  async lastSequences(): Promise<{ eventSeq: number; attemptSeq: number }> {
    return this.#db
      .prepare<[], { eventSeq: number; attemptSeq: number }>(`
        SELECT coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'event_contents'), 0) AS eventSeq,
          coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'attempts'), 0) AS attemptSeq`)
      .get() as { eventSeq: number; attemptSeq: number };
  }

  async sequencesAt(scope: Scope, time: number): Promise<{ eventSeq: number; attemptSeq: number }> {
    const last = await this.lastSequences();
    const firstEvent = this.#db
      .prepare<[string | number, number], number | null>(`
        SELECT min(e.seq) FROM endpoints p
        JOIN events e INDEXED BY events_by_time ON e.endpoint_key = p.key
        WHERE ${scopeCondition(scope)} AND p.deleted_at IS NULL AND e.received_at >= ?`)
      .pluck()
      .get(scopeValue(scope), time);
    // Attempts are in the order in which they ended: one that began later may stand
    // before. None takes longer than this, so the walk back needs to go no further.
    const longBefore = this.#db
      .prepare<[number], number>(
        'SELECT seq FROM attempts WHERE attempted_at < ? ORDER BY seq DESC LIMIT 1',
      )
      .pluck()
      .get(time - LONGEST_ATTEMPT_MS);
    const firstAttempt = this.#db
      .prepare<[number, number], number>(
        'SELECT seq FROM attempts WHERE seq > ? AND attempted_at >= ? ORDER BY seq LIMIT 1',
      )
      .pluck()
      .get(longBefore ?? 0, time);
    return {
      eventSeq: firstEvent ? firstEvent - 1 : last.eventSeq,
      attemptSeq: firstAttempt ? firstAttempt - 1 : last.attemptSeq,
    };
  }

  async eventsAfter(scope: Scope, seq: number, limit: number): Promise<EventSummary[]> {
    const endpoints = this.#db
      .prepare<[string | number], number>(
        `SELECT p.key FROM endpoints p WHERE ${scopeCondition(scope)} AND p.deleted_at IS NULL`,
      )
      .pluck()
      .all(scopeValue(scope));
    // Merged here: SQLite would sort all that is left for each page of it.
    const next = this.#db
      .prepare<[number, number, number], number>(
        'SELECT seq FROM events WHERE endpoint_key = ? AND seq > ? ORDER BY seq LIMIT ?',
      )
      .pluck();
    const summary = this.#db.prepare<[number, number], SummaryRow>(
      `SELECT ${SUMMARY_COLUMNS} FROM events e WHERE e.endpoint_key = ? AND e.seq = ?`,
    );
    return endpoints
      .flatMap((key) => next.all(key, seq, limit).map((found) => ({ key, found })))
      .sort((a, b) => a.found - b.found)
      .slice(0, limit)
      .map(({ key, found }) => summaryOf(summary.get(key, found) as SummaryRow));
  }

  async attemptsAfter(
    scope: Scope,
    seq: number,
    limit: number,
  ): Promise<{ attempts: SettledAttempt[]; scannedTo: number }> {
    const last = this.#db
      .prepare<[number, number], number>(
        'SELECT max(seq) FROM (SELECT seq FROM attempts WHERE seq > ? ORDER BY seq LIMIT ?)',
      )
      .pluck()
      .get(seq, limit);
    if (!last) return { attempts: [], scannedTo: seq };
    const attempts = this.#db
      .prepare<[number, number, string | number], SettledRow>(`
        SELECT ${ATTEMPT_COLUMNS}, e.status AS eventStatus, p.user_id AS userId,
          p.key AS endpointKey
        ${ATTEMPT_TABLES}
        WHERE a.seq > ? AND a.seq <= ? AND ${scopeCondition(scope)} AND p.deleted_at IS NULL
        ORDER BY a.seq`)
      .all(seq, last, scopeValue(scope))
      .map(({ eventStatus, userId, endpointKey, ...row }) => ({
        attempt: attemptOf(row),
        eventStatus: statusOf(eventStatus),
        userId,
        endpointKey,
      }));
    return { attempts, scannedTo: last };
  }
}

const scopeCondition = (scope: Scope): string =>
  'userId' in scope ? 'p.user_id = ?' : 'p.key = ?';
const scopeValue = (scope: Scope): string | number =>
  'userId' in scope ? scope.userId : scope.endpointKey;
