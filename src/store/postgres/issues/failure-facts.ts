import { VERIFICATION_STATE } from '../../../core/proof/verification.ts';
import type { CursorName, FactPage, FailureCursor, FailureFact } from '../../contract/issues.ts';
import type { Sql } from '../connection/database.ts';

/**
 * Selects events that failed verification, with an index by endpoint. Only endpoints with a source
 * have any.
 */
const FAILURES = `
  SELECT e.seq, p.key AS "endpointKey", p.user_id AS "userId", e.id AS "eventId",
    e.received_at AS at
  FROM endpoints p CROSS JOIN LATERAL (
    SELECT seq, id, received_at FROM events
    WHERE endpoint_key = p.key AND verification = ${VERIFICATION_STATE.code('failed')}
      AND seq > $1 AND seq <= $2
    ORDER BY seq LIMIT $3) e
  WHERE p.source IS NOT NULL AND p.deleted_at IS NULL
  ORDER BY e.seq LIMIT $3`;

/** Selects rejected requests. Their `event_seq` comes from the sequence of event numbers. */
const REJECTIONS = `
  SELECT r.event_seq AS seq, r.endpoint_key AS "endpointKey", p.user_id AS "userId",
    NULL AS "eventId", r.received_at AS at
  FROM rejected_requests r JOIN endpoints p ON p.key = r.endpoint_key AND p.deleted_at IS NULL
  WHERE r.event_seq > $1 AND r.event_seq <= $2 ORDER BY r.event_seq LIMIT $3`;

const FAILURE_FACTS: Readonly<Record<FailureCursor, string>> = {
  failures: FAILURES,
  rejections: REJECTIONS,
};

/**
 * Returns a cursor's name in the table `cursors`. SQLite numbers rejected requests separately, so
 * its cursor `rejections` has no meaning in this store. A move copies that cursor.
 */
export function storedCursor(name: CursorName): string {
  return name === 'rejections' ? 'rejected_events' : name;
}

/** See `IssueStore.failureFacts`. */
export async function readFailureFacts(
  sql: Sql,
  of: FailureCursor,
  { after, horizon, limit }: { after: number; horizon: number; limit: number },
): Promise<FactPage<FailureFact>> {
  const facts = await sql.rows<FailureFact>(FAILURE_FACTS[of], [after, horizon, limit], of);
  return { facts, scannedTo: facts.at(-1)?.seq ?? after };
}
