import type { EventKind } from '../../../core/issues/event-streak.ts';
import type { AttemptFact, EventFact, FactPage } from '../../contract/issues.ts';
import { healthCode, stateCode } from '../../shared/codes.ts';
import {
  type AttemptFactRow,
  attemptFactOf,
  type EventFactRow,
  eventFactsOf,
} from '../../shared/issues/fact-rows.ts';
import { issueStateCode, kindCode } from '../../shared/issues/issue-codes.ts';
import type { Sql } from '../connection/database.ts';

/** Selects the last number of a page of at most $3 attempts: after $1, up to the horizon $2. */
export const ATTEMPT_PAGE = `
  SELECT max(seq) AS last FROM (
    SELECT seq FROM attempts WHERE seq > $1 AND seq <= $2 ORDER BY seq LIMIT $3) q`;

const IS_FAILURE = '(a.response_code IS NULL OR a.response_code NOT BETWEEN 200 AND 299)';

/** SQL condition: the destination of attempt `a` has a streak, which a success may end. */
const HAS_STREAK = `EXISTS (SELECT 1 FROM issues i
  WHERE i.destination_key = a.destination_key AND i.destination_key <> 0
    AND i.kind IN (${kindCode('delivery')}, ${kindCode('alert')})
    AND (i.state <> ${issueStateCode('resolved')} OR i.course <> '{}'))`;

/**
 * Selects the attempts of a page. `is_dead`: the attempt killed its delivery. A failed probe
 * doesn't kill its delivery if attempts follow. If the dead delivery has an error code, it died
 * without an attempt.
 */
export const ATTEMPT_FACTS = `
  SELECT a.seq, a.destination_key, a.endpoint_key, coalesce(c.user_id, p.user_id) AS user_id,
    c.key IS NOT NULL AS is_internal, e.id AS event_id, e.edited_from IS NOT NULL AS is_edited,
    a.attempted_at, a.response_code, a.error_code,
    a.health IS NOT DISTINCT FROM ${healthCode('open')} AS opens_breaker,
    v.id IS NOT NULL AS is_dead
  FROM attempts a
  JOIN events e ON e.endpoint_key = a.endpoint_key AND e.seq = a.event_seq
  JOIN endpoints p ON p.key = a.endpoint_key AND p.deleted_at IS NULL
  JOIN destinations d ON d.key = a.destination_key AND d.removed_at IS NULL
  LEFT JOIN channels c ON c.destination_key = a.destination_key
  LEFT JOIN deliveries v ON v.id = a.delivery_id AND v.state = ${stateCode('dead')}
    AND v.error_code IS NULL AND ${IS_FAILURE} AND a.next_attempt_at IS NULL
    AND NOT (a.probe AND a.number < v.attempts + v.probes)
  WHERE a.seq > $1 AND a.seq <= $2 AND (${IS_FAILURE} OR ${HAS_STREAK})
  ORDER BY a.seq`;

/** See `IssueStore.attemptFacts`. */
export async function readAttemptFacts(
  sql: Sql,
  after: number,
  { horizon, limit }: { horizon: number; limit: number },
): Promise<FactPage<AttemptFact>> {
  const [page] = await sql.rows<{ last: number | null }>(
    ATTEMPT_PAGE,
    [after, horizon, limit],
    'attempt page',
  );
  const last = page?.last ?? null;
  if (last === null) return { facts: [], scannedTo: after };
  // Don't prepare this statement. A generic plan for any range may read whole tables.
  const rows = await sql.rows<AttemptFactRow>(ATTEMPT_FACTS, [after, last]);
  return { facts: rows.map(attemptFactOf), scannedTo: last };
}

const eventFacts = (where: string, settings: string): string => `
  SELECT e.seq, e.endpoint_key AS "endpointKey", e.id AS "eventId", e.received_at AS at,
    p.user_id AS "userId", ${settings} AS settings
  FROM (
    SELECT * FROM events WHERE ${where} AND seq > $1 AND seq <= $2
    ORDER BY seq LIMIT $3) e
  LEFT JOIN endpoints p ON p.key = e.endpoint_key AND p.deleted_at IS NULL
  ORDER BY e.seq`;

export const CONFLICT_FACTS = eventFacts('duplicate_conflict', 'NULL::text');
export const UNJUDGED_FACTS = eventFacts(
  'unjudged IS NOT NULL AND duplicate_of IS NULL',
  'p.settings',
);

/** The owner has a LIMIT, or the planner expects many destinations an event and reads all of them. */
export const UNCOMPARABLE_FACTS = `
  SELECT f.event_seq AS seq, f.endpoint_key AS "endpointKey", k.value::bigint AS "destinationKey",
    o.user_id AS "userId", e.id AS "eventId", e.received_at AS at, NULL::text AS settings
  FROM (
    SELECT * FROM filtered_events
    WHERE uncomparable IS NOT NULL AND event_seq > $1 AND event_seq <= $2
    ORDER BY event_seq LIMIT $3) f
  CROSS JOIN LATERAL jsonb_array_elements_text(f.uncomparable::jsonb) k
  JOIN events e ON e.endpoint_key = f.endpoint_key AND e.seq = f.event_seq
  LEFT JOIN LATERAL (
    SELECT p.user_id FROM destinations d
    JOIN endpoints p ON p.key = d.endpoint_key AND p.deleted_at IS NULL
    WHERE d.key = k.value::bigint AND d.removed_at IS NULL LIMIT 1) o ON true
  ORDER BY f.event_seq, k.value`;

const STATEMENTS: Record<EventKind, string> = {
  conflict: CONFLICT_FACTS,
  unjudged: UNJUDGED_FACTS,
  uncomparable: UNCOMPARABLE_FACTS,
};

export async function readEventFacts(
  sql: Sql,
  kind: EventKind,
  after: number,
  { horizon, limit }: { horizon: number; limit: number },
): Promise<FactPage<EventFact>> {
  const rows = await sql.rows<EventFactRow>(
    STATEMENTS[kind],
    [after, horizon, limit],
    `${kind} facts`,
  );
  return { facts: rows.flatMap(eventFactsOf), scannedTo: rows.at(-1)?.seq ?? after };
}
