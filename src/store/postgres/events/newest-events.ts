import type { EventSummary } from '../../../core/model.ts';
import type { EventContent } from '../../contract/events.ts';
import { type ContentRow, contentOf } from '../../shared/events/event-content.ts';
import { type SummaryRow, summaryOf } from '../../shared/events/summary-rows.ts';
import type { Sql } from '../connection/database.ts';
import { SUMMARY_COLUMNS } from './summary-columns.ts';

/** Selects at most $3 events before $2, newest first. Stops once their bodies have $4 bytes. */
export const NEWEST_CONTENTS = `
  SELECT ${SUMMARY_COLUMNS}, c.query, c.headers, c.body
  FROM (
    SELECT n.endpoint_key, n.seq, sum(n.size) OVER (ORDER BY n.seq DESC) - n.size AS before
    FROM (
      SELECT e.endpoint_key, e.seq, e.size FROM events e
      WHERE e.endpoint_key = $1 AND e.seq < $2 ORDER BY e.seq DESC LIMIT $3) n) k
  JOIN endpoints p ON p.key = k.endpoint_key AND p.deleted_at IS NULL
  JOIN events e ON e.endpoint_key = k.endpoint_key AND e.seq = k.seq
  JOIN event_contents c ON c.seq = k.seq
  WHERE k.before < $4
  ORDER BY e.seq DESC`;

/** See `EventStore.newest`. */
export async function newestEvents(
  sql: Sql,
  endpointKey: number,
  before: number | null,
  { most, bytes }: { most: number; bytes: number },
): Promise<{ event: EventSummary; content: EventContent }[]> {
  const rows = await sql.rows<SummaryRow & ContentRow>(NEWEST_CONTENTS, [
    endpointKey,
    before ?? Number.MAX_SAFE_INTEGER,
    most,
    bytes,
  ]);
  return rows.map(({ query, headers, body, ...row }) => ({
    event: summaryOf(row),
    content: contentOf({ query, headers, body }),
  }));
}
