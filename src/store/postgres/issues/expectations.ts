import type { Expectation } from '../../contract/issues.ts';
import type { Sql } from '../connection/database.ts';

interface ExpectationRow extends Omit<Expectation, 'lastEvent'> {
  eventId: string | null;
  receivedAt: number;
}

/** Selects the newest event of an endpoint `p`. */
const LAST_EVENT = `SELECT e.id, e.received_at FROM events e
  WHERE e.endpoint_key = p.key ORDER BY e.received_at DESC, e.seq DESC LIMIT 1`;

/** Selects endpoints `p` that expect events, and the newest event of each. */
const EXPECTING = `
  SELECT p.key AS "endpointKey", p.user_id AS "userId", p.expect_every_ms AS "expectEveryMs",
    coalesce(p.expected_since, p.created_at) AS "expectedSince", l.id AS "eventId",
    l.received_at AS "receivedAt"
  FROM endpoints p LEFT JOIN LATERAL (${LAST_EVENT}) l ON true
  WHERE p.expect_every_ms IS NOT NULL AND p.deleted_at IS NULL`;

export const EXPECTATIONS = `${EXPECTING} AND p.key > $1 ORDER BY p.key LIMIT $2`;

export const EXPECTATIONS_OF = `${EXPECTING} AND p.key = ANY($1) ORDER BY p.key`;

/** See `IssueStore.expectations`. */
export async function readExpectations(
  sql: Sql,
  afterKey: number,
  limit: number,
): Promise<Expectation[]> {
  const rows = await sql.rows<ExpectationRow>(EXPECTATIONS, [afterKey, limit], 'expectations');
  return rows.map(expectationOf);
}

/** See `IssueStore.expectationsOf`. */
export async function readExpectationsOf(
  sql: Sql,
  endpointKeys: readonly number[],
): Promise<Expectation[]> {
  const rows = await sql.rows<ExpectationRow>(EXPECTATIONS_OF, [endpointKeys], 'due expectations');
  return rows.map(expectationOf);
}

function expectationOf({ eventId, receivedAt, ...row }: ExpectationRow): Expectation {
  return { ...row, lastEvent: eventId === null ? null : { id: eventId, receivedAt } };
}

/**
 * See `IssueStore.heartbeat`. The lock on the cursor's row admits one node at a time, so only one
 * of two starting nodes adds the gap.
 */
export async function beat(
  sql: Sql,
  now: number,
  gapMs: number,
): Promise<{ before: number | null }> {
  const made = await sql.run(
    "INSERT INTO cursors (name, position) VALUES ('heartbeat', $1) ON CONFLICT DO NOTHING",
    [now],
    'first heartbeat',
  );
  if (made > 0) return { before: null };
  const [last] = await sql.rows<{ before: number }>(
    `SELECT position AS before FROM cursors WHERE name = 'heartbeat' FOR UPDATE`,
    [],
    'last heartbeat',
  );
  const before = last?.before ?? now;
  await sql.run("UPDATE cursors SET position = $1 WHERE name = 'heartbeat'", [now], 'heartbeat');
  if (now - before > gapMs) await delay(sql, now - before, now);
  return { before };
}

/**
 * Adds the gap to the time from which each endpoint's silence counts. That time is the last event,
 * or the start of the expectation if that is later. It becomes at most `now`.
 */
async function delay(sql: Sql, byMs: number, now: number): Promise<void> {
  await sql.run(
    `UPDATE endpoints p SET expected_since = least($2, $1 + greatest(
       coalesce(p.expected_since, p.created_at),
       (SELECT received_at FROM (${LAST_EVENT}) l)))
     WHERE p.expect_every_ms IS NOT NULL AND p.deleted_at IS NULL`,
    [byMs, now],
  );
}
