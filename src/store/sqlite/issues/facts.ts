import type { Database } from 'better-sqlite3';
import { INTERNAL_USER } from '../../../core/channels/channel.ts';
import type { AttemptFact, EventFact, FactPage } from '../../contract/issues.ts';
import { healthCode, stateCode } from '../../shared/codes.ts';
import {
  type AttemptFactRow,
  attemptFactOf,
  type EventFactRow,
  eventFactsOf,
} from '../../shared/issues/fact-rows.ts';
import { issueStateCode, kindCode } from '../../shared/issues/issue-codes.ts';

const IS_SUCCESS = 'a.response_code IS NOT NULL AND a.response_code BETWEEN 200 AND 299';
/** Whether the destination of attempt `a` has a streak, which a success can end. */
const HAS_STREAK = `EXISTS (
  SELECT 1 FROM issues i
  WHERE i.destination_key = a.destination_key AND i.destination_key <> 0
    AND i.kind IN (${kindCode('delivery')}, ${kindCode('alert')})
    AND (i.state <> ${issueStateCode('resolved')} OR i.course <> '{}'))`;
/**
 * Whether failed attempt `a` is the last attempt of a delivery that died of its failures. The
 * delivery's row must show that. A failed probe of an open breaker kills no delivery. After a late
 * attempt the delivery may continue or be cancelled.
 */
const IS_DEAD = `a.next_attempt_at IS NULL AND EXISTS (
  SELECT 1 FROM deliveries v
  WHERE v.endpoint_key = a.endpoint_key AND v.event_seq = a.event_seq AND v.id = a.delivery_id
    AND v.state = ${stateCode('dead')} AND v.error_code IS NULL)
  AND NOT EXISTS (
  SELECT 1 FROM attempts n
  WHERE n.endpoint_key = a.endpoint_key AND n.event_seq = a.event_seq AND n.delivery_id = a.delivery_id AND n.seq > a.seq)`;

/** See `IssueStore.attemptFacts`. */
export function readAttemptFacts(
  db: Database,
  after: number,
  limit: number,
): FactPage<AttemptFact> {
  const last = db
    .prepare<[number, number], number | null>(
      'SELECT max(seq) FROM (SELECT seq FROM attempts WHERE seq > ? ORDER BY seq LIMIT ?)',
    )
    .pluck()
    .get(after, limit);
  if (last == null) return { facts: [], scannedTo: after };
  const rows = db
    .prepare<[number, number], AttemptFactRow>(`
      SELECT a.seq, a.destination_key, a.endpoint_key, coalesce(c.user_id, p.user_id) AS user_id,
        p.user_id = '${INTERNAL_USER.id}' AS is_internal, e.id AS event_id,
        e.edited_from IS NOT NULL AS is_edited, a.attempted_at,
        a.response_code, a.error_code, NOT (${IS_SUCCESS}) AND ${IS_DEAD} AS is_dead,
        a.health IS ${healthCode('open')} AS opens_breaker
      FROM attempts a
      CROSS JOIN endpoints p ON p.key = a.endpoint_key AND p.deleted_at IS NULL
      CROSS JOIN destinations d
        ON d.key = a.destination_key AND d.removed_at IS NULL AND d.one_off = 0
      CROSS JOIN events e ON e.endpoint_key = a.endpoint_key AND e.seq = a.event_seq
      LEFT JOIN channels c ON c.destination_key = a.destination_key
      WHERE a.seq > ? AND a.seq <= ? AND (NOT (${IS_SUCCESS}) OR ${HAS_STREAK})
      ORDER BY a.seq`)
    .all(after, last);
  return { facts: rows.map(attemptFactOf), scannedTo: last };
}

/** See `IssueStore.conflictFacts`. Reads an index that has only conflicts. */
export function readConflictFacts(db: Database, after: number, limit: number): FactPage<EventFact> {
  return eventFacts(db, after, limit, {
    from: 'events e INDEXED BY events_conflicting',
    where: 'e.duplicate_conflict = 1',
    settings: 'NULL',
  });
}

/** See `IssueStore.unjudgedFacts`. Reads an index that has only unjudged events. */
export function readUnjudgedFacts(db: Database, after: number, limit: number): FactPage<EventFact> {
  return eventFacts(db, after, limit, {
    from: 'events e INDEXED BY events_unjudged',
    where: 'e.unjudged IS NOT NULL AND e.duplicate_of IS NULL',
    settings: 'p.settings',
  });
}

/** See `IssueStore.uncomparableFacts`. Reads an index that has only such drops. */
export function readUncomparableFacts(
  db: Database,
  after: number,
  limit: number,
): FactPage<EventFact> {
  const rows = db
    .prepare<[number, number], EventFactRow>(`
      SELECT f.event_seq AS seq, f.endpoint_key AS endpointKey, k.value AS destinationKey,
        p.user_id AS userId, e.id AS eventId, e.received_at AS at, NULL AS settings
      FROM (
        SELECT * FROM filtered_events INDEXED BY filtered_events_uncomparable
        WHERE uncomparable IS NOT NULL AND event_seq > ? ORDER BY event_seq LIMIT ?) f
      CROSS JOIN json_each(f.uncomparable) k
      CROSS JOIN events e ON e.endpoint_key = f.endpoint_key AND e.seq = f.event_seq
      LEFT JOIN destinations d ON d.key = k.value AND d.removed_at IS NULL
      LEFT JOIN endpoints p ON p.key = d.endpoint_key AND p.deleted_at IS NULL
      ORDER BY f.event_seq`)
    .all(after, limit);
  return { facts: rows.flatMap(eventFactsOf), scannedTo: rows.at(-1)?.seq ?? after };
}

function eventFacts(
  db: Database,
  after: number,
  limit: number,
  { from, where, settings }: { from: string; where: string; settings: string },
): FactPage<EventFact> {
  const rows = db
    .prepare<[number, number], EventFactRow>(`
      SELECT e.seq, e.endpoint_key AS endpointKey, p.user_id AS userId, e.id AS eventId,
        e.received_at AS at, ${settings} AS settings
      FROM ${from}
      LEFT JOIN endpoints p ON p.key = e.endpoint_key AND p.deleted_at IS NULL
      WHERE ${where} AND e.seq > ? ORDER BY e.seq LIMIT ?`)
    .all(after, limit);
  return { facts: rows.flatMap(eventFactsOf), scannedTo: rows.at(-1)?.seq ?? after };
}
