import type { Database } from 'better-sqlite3';
import { INTERNAL_USER } from '../../../core/channels/channel.ts';
import type { WaitingDestination } from '../../contract/issues.ts';
import { laneOf, type WaitingDestinationRow } from '../../shared/issues/lane-rows.ts';

/** How many destinations are read between two yields. */
const SLICE_DESTINATIONS = 50;

/** See `IssueStore.lanes`. */
export function* readLanes(
  db: Database,
  afterKey: number,
  limit: number,
): Generator<void, WaitingDestination[]> {
  const next = db
    .prepare<[number], number | null>(
      'SELECT min(destination_key) FROM open_deliveries WHERE destination_key > ?',
    )
    .pluck();
  const lane = db.prepare<[number], WaitingDestinationRow>(`
    SELECT d.key, d.endpoint_key, d.settings, d.flow, p.user_id, p.retention_ms, e.id AS event_id,
      e.received_at, (
        SELECT min(o.next_attempt_at) FROM open_deliveries o INDEXED BY open_deliveries_due
        WHERE o.destination_key = d.key AND o.behind = 0) AS oldest_due_at
    FROM destinations d
    CROSS JOIN endpoints p ON p.key = d.endpoint_key AND p.deleted_at IS NULL
      AND p.user_id <> '${INTERNAL_USER.id}'
    CROSS JOIN events e ON e.endpoint_key = d.endpoint_key AND e.seq = (
      SELECT min(o.event_seq) FROM open_deliveries o WHERE o.destination_key = d.key)
    WHERE d.key = ? AND d.removed_at IS NULL AND d.one_off = 0`);
  const lanes: WaitingDestination[] = [];
  let looked = 0;
  for (let key = next.get(afterKey); key != null && lanes.length < limit; key = next.get(key)) {
    const row = lane.get(key);
    if (row) lanes.push(laneOf(row));
    if (++looked % SLICE_DESTINATIONS === 0) yield;
  }
  return lanes;
}
