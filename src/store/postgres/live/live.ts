import type { EventSummary } from '../../../core/model.ts';
import type { RuleSource } from '../../../core/rules/rule.ts';
import type { EventClass, LivePosition, LiveStore } from '../../contract/live.ts';
import type { SettledAttempt } from '../../contract/queue.ts';
import type { Scope } from '../../contract/scope.ts';
import { attemptsBefore } from '../../shared/deliveries/attempts-before.ts';
import { type SummaryRow, summaryOf } from '../../shared/events/summary-rows.ts';
import { SETTLED_COLUMNS, type SettledRow, settledOf } from '../../shared/live/settled-rows.ts';
import { LONGEST_ATTEMPT_MS } from '../../shared/overview/activity.ts';
import type { Histories } from '../cluster/histories.ts';
import type { Horizons } from '../cluster/tickets.ts';
import type { Database } from '../connection/database.ts';
import { ATTEMPT_TABLES } from '../deliveries/attempt-tables.ts';
import { scopeCondition, scopeValue } from '../endpoints/scope.ts';
import { SUMMARY_COLUMNS } from '../events/summary-columns.ts';
import type { EventJudge } from '../judging/event-judge.ts';
import { classifyRows, withTypes } from '../judging/judged-events.ts';

/**
 * Reads events for live streams. All reads end at the horizon, below which no new row can appear.
 * They use the connections for long reads, so captures don't wait for them.
 */
export class PostgresLive implements LiveStore {
  readonly #db: Database;
  readonly #horizons: Horizons;
  readonly #histories: Histories;
  readonly #judge: EventJudge;

  constructor(db: Database, horizons: Horizons, histories: Histories, judge: EventJudge) {
    this.#db = db;
    this.#horizons = horizons;
    this.#histories = histories;
    this.#judge = judge;
  }

  async includes(history: string, position: LivePosition): Promise<boolean> {
    await this.#horizons.get();
    return this.#histories.includes(history, position);
  }

  async lastSequences(): Promise<{ eventSeq: number; attemptSeq: number }> {
    const { eventSeq, attemptSeq } = await this.#horizons.get();
    return { eventSeq, attemptSeq };
  }

  async sequencesAt(scope: Scope, time: number): Promise<{ eventSeq: number; attemptSeq: number }> {
    const last = await this.lastSequences();
    return this.#db.snapshot(async (sql) => {
      // Usually the oldest event is the answer, because `time` is before all events.
      const [event] = await sql.rows<{ first: number | null }>(
        `SELECT min(CASE WHEN o.received_at >= $2 THEN o.seq ELSE (
             SELECT min(e.seq) FROM events e
             WHERE e.endpoint_key = p.key AND e.received_at >= $2) END) AS first
         FROM endpoints p CROSS JOIN LATERAL (
           SELECT seq, received_at FROM events WHERE endpoint_key = p.key
           ORDER BY seq LIMIT 1) o
         WHERE ${scopeCondition(scope, 1)} AND p.deleted_at IS NULL`,
        [scopeValue(scope), time],
      );
      const [attempt] = await sql.rows<{ first: number | null }>(
        `SELECT (SELECT seq FROM attempts
           WHERE seq > (${attemptsBefore('$1::bigint')}) AND attempted_at >= $2
           ORDER BY seq LIMIT 1) AS first`,
        [time - LONGEST_ATTEMPT_MS, time],
      );
      return {
        eventSeq: event?.first ? Math.min(event.first - 1, last.eventSeq) : last.eventSeq,
        attemptSeq: attempt?.first ? Math.min(attempt.first - 1, last.attemptSeq) : last.attemptSeq,
      };
    });
  }

  classify(seqs: readonly number[], where: RuleSource | null): Promise<EventClass[]> {
    return this.#db.snapshot((sql) => classifyRows(sql, this.#judge, seqs, where));
  }

  async eventsAfter(scope: Scope, seq: number, limit: number): Promise<EventSummary[]> {
    const { eventSeq: horizon } = await this.#horizons.get();
    // Merge a page of each endpoint, because to sort all remaining events would cost more.
    return this.#db.snapshot(async (sql) => {
      const rows = await sql.rows<SummaryRow>(
        `SELECT ${SUMMARY_COLUMNS} FROM endpoints p CROSS JOIN LATERAL (
           SELECT * FROM events WHERE endpoint_key = p.key AND seq > $2 AND seq <= $3
           ORDER BY seq LIMIT $4) e
         WHERE ${scopeCondition(scope, 1)} AND p.deleted_at IS NULL
         ORDER BY e.seq LIMIT $4`,
        [scopeValue(scope), seq, horizon, limit],
      );
      return withTypes(sql, this.#judge, rows.map(summaryOf));
    });
  }

  async attemptsAfter(
    scope: Scope,
    seq: number,
    limit: number,
  ): Promise<{ attempts: SettledAttempt[]; scannedTo: number }> {
    const { attemptSeq: horizon } = await this.#horizons.get();
    return this.#db.snapshot(async (sql) => {
      const [page] = await sql.rows<{ last: number | null }>(
        `SELECT max(seq) AS last FROM (
           SELECT seq FROM attempts WHERE seq > $1 AND seq <= $2 ORDER BY seq LIMIT $3) q`,
        [seq, horizon, limit],
      );
      const last = page?.last;
      if (!last) return { attempts: [], scannedTo: seq };
      const rows = await sql.rows<SettledRow>(
        `SELECT ${SETTLED_COLUMNS} ${ATTEMPT_TABLES}
         WHERE a.seq > $2 AND a.seq <= $3 AND ${scopeCondition(scope, 1)} AND p.deleted_at IS NULL
         ORDER BY a.seq`,
        [scopeValue(scope), seq, last],
      );
      return { attempts: rows.map(settledOf), scannedTo: last };
    });
  }
}
