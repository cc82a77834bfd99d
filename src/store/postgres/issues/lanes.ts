import { INTERNAL_USER } from '../../../core/channels/channel.ts';
import type { WaitingDestination } from '../../contract/issues.ts';
import { laneOf, type WaitingDestinationRow } from '../../shared/issues/lane-rows.ts';
import type { Sql } from '../connection/database.ts';

/** If `user_id` and `event_id` are null, `readLanes` leaves the destination out. */
type FoundRow =
  | WaitingDestinationRow
  | (Pick<WaitingDestinationRow, 'key'> & { user_id: null; event_id: null });

/**
 * Selects the next $2 destinations after $1 that have a waiting delivery. The recursion makes one
 * seek in the queue's index for each destination.
 */
export const WAITING_LANES = `
  WITH RECURSIVE lanes AS (
    (SELECT destination_key, next_attempt_at, 1 AS number FROM open_deliveries
     WHERE destination_key > $1 AND NOT behind
     ORDER BY destination_key, next_attempt_at LIMIT 1)
    UNION ALL
    SELECT n.destination_key, n.next_attempt_at, l.number + 1
    FROM lanes l CROSS JOIN LATERAL (
      SELECT destination_key, next_attempt_at FROM open_deliveries
      WHERE destination_key > l.destination_key AND NOT behind
      ORDER BY destination_key, next_attempt_at LIMIT 1) n
    WHERE l.number < $2
  )
  SELECT l.destination_key AS key, l.next_attempt_at AS oldest_due_at, w.*
  FROM lanes l LEFT JOIN LATERAL (
    SELECT d.endpoint_key, d.settings, d.flow, p.user_id, p.retention_ms, e.id AS event_id,
      e.received_at
    FROM destinations d
    JOIN endpoints p ON p.key = d.endpoint_key AND p.deleted_at IS NULL
      AND p.user_id <> '${INTERNAL_USER.id}'
    JOIN events e ON e.endpoint_key = d.endpoint_key AND e.seq = (
      SELECT v.event_seq FROM open_deliveries v WHERE v.destination_key = d.key
      ORDER BY v.event_seq LIMIT 1)
    WHERE d.key = l.destination_key AND d.removed_at IS NULL) w ON true
  ORDER BY l.destination_key`;

/** See `IssueStore.lanes`. Reads on until it has `limit` destinations that aren't left out. */
export async function readLanes(
  sql: Sql,
  afterKey: number,
  limit: number,
): Promise<WaitingDestination[]> {
  const lanes: WaitingDestination[] = [];
  for (let after = afterKey; lanes.length < limit; ) {
    const rows = await sql.rows<FoundRow>(WAITING_LANES, [after, limit], 'waiting lanes');
    for (const row of rows) if (row.user_id !== null) lanes.push(laneOf(row));
    const last = rows.at(-1);
    if (!last || rows.length < limit) break;
    after = last.key;
  }
  return lanes.slice(0, limit);
}
