import type { Database } from 'better-sqlite3';
import type { EventSummary } from '../../../core/model.ts';
import type { LivePosition } from '../../contract/live.ts';
import type { SettledAttempt } from '../../contract/queue.ts';
import type { Scope } from '../../contract/scope.ts';
import { attemptsBefore } from '../../shared/deliveries/attempts-before.ts';
import { type SummaryRow, summaryOf } from '../../shared/events/summary-rows.ts';
import { SETTLED_COLUMNS, type SettledRow, settledOf } from '../../shared/live/settled-rows.ts';
import { LONGEST_ATTEMPT_MS } from '../../shared/overview/activity.ts';
import {
  ATTEMPT_TABLES_BY_SEQ,
  STORED_HEADERS,
  type Stored,
  unpackedRow,
} from '../deliveries/attempt-rows.ts';
import { endpointsOf, scopeCondition, scopeValue } from '../endpoints/scope.ts';
import { SUMMARY_COLUMNS } from '../events/summary-columns.ts';

/** Live streams use these queries to catch up. At each `yield` the thread runs other reads. */

/**
 * Returns the number of the last event, even of a deleted one, and that of the newest attempt; 0 if
 * there is none.
 */
export function lastSequences(db: Database): LivePosition {
  return db
    .prepare<[], LivePosition>(`
      SELECT coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'event_contents'), 0) AS eventSeq,
        coalesce((SELECT max(seq) FROM attempts), 0) AS attemptSeq`)
    .get() as LivePosition;
}

/** See `LiveStore.sequencesAt`. */
export function* sequencesAt(
  db: Database,
  scope: Scope,
  time: number,
): Generator<void, LivePosition> {
  const last = lastSequences(db);
  const oldest = db.prepare<[number], { seq: number; receivedAt: number }>(`
    SELECT seq, received_at AS receivedAt FROM events WHERE endpoint_key = ?
    ORDER BY seq LIMIT 1`);
  const since = db
    .prepare<[number, number], number | null>(`
      SELECT min(seq) FROM events INDEXED BY events_by_time
      WHERE endpoint_key = ? AND received_at >= ?`)
    .pluck();
  let { eventSeq } = last;
  for (const key of endpointsOf(db, scope)) {
    const first = oldest.get(key);
    if (!first) continue;
    // Usually all events are later than `time`, so the endpoint's first event is enough.
    const found = first.receivedAt >= time ? first.seq : since.get(key, time);
    if (found) eventSeq = Math.min(eventSeq, found - 1);
    yield;
  }
  const firstAttempt = db
    .prepare<[{ longBefore: number; time: number }], number>(`
      SELECT seq FROM attempts
      WHERE seq > (${attemptsBefore('@longBefore')}) AND attempted_at >= @time
      ORDER BY seq LIMIT 1`)
    .pluck()
    .get({ longBefore: time - LONGEST_ATTEMPT_MS, time });
  return { eventSeq, attemptSeq: firstAttempt ? firstAttempt - 1 : last.attemptSeq };
}

/** See `LiveStore.eventsAfter`. */
export function* eventsAfter(
  db: Database,
  scope: Scope,
  seq: number,
  limit: number,
): Generator<void, EventSummary[]> {
  const next = db
    .prepare<[number, number], number>(
      'SELECT seq FROM events WHERE endpoint_key = ? AND seq > ? ORDER BY seq LIMIT 1',
    )
    .pluck();
  // SQLite would sort all remaining events for each page, so the endpoints are merged here.
  const heads: { key: number; seq: number }[] = [];
  const add = (key: number, after: number) => {
    const found = next.get(key, after);
    if (found === undefined) return;
    const at = heads.findLastIndex((head) => head.seq > found);
    heads.splice(at + 1, 0, { key, seq: found });
  };
  for (const key of endpointsOf(db, scope)) add(key, seq);
  yield;
  const summary = db.prepare<[number, number], SummaryRow>(
    `SELECT ${SUMMARY_COLUMNS} FROM events e WHERE e.endpoint_key = ? AND e.seq = ?`,
  );
  const events: EventSummary[] = [];
  while (events.length < limit) {
    // The last head has the smallest number, so removing it shifts no other head.
    const head = heads.pop();
    if (!head) break;
    events.push(summaryOf(summary.get(head.key, head.seq) as SummaryRow));
    add(head.key, head.seq);
  }
  return events;
}

/** See `LiveStore.attemptsAfter`. */
export function attemptsAfter(
  db: Database,
  scope: Scope,
  seq: number,
  limit: number,
): { attempts: SettledAttempt[]; scannedTo: number } {
  const last = db
    .prepare<[number, number], number>(
      'SELECT max(seq) FROM (SELECT seq FROM attempts WHERE seq > ? ORDER BY seq LIMIT ?)',
    )
    .pluck()
    .get(seq, limit);
  if (!last) return { attempts: [], scannedTo: seq };
  const attempts = db
    .prepare<[number, number, string], Stored<SettledRow>>(`
      SELECT ${SETTLED_COLUMNS}, ${STORED_HEADERS} ${ATTEMPT_TABLES_BY_SEQ}
      WHERE a.seq > ? AND a.seq <= ? AND ${scopeCondition(scope)} AND p.deleted_at IS NULL
      ORDER BY a.seq`)
    .all(seq, last, scopeValue(scope))
    .map((row) => settledOf(unpackedRow(row)));
  return { attempts, scannedTo: last };
}
