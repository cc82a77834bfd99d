import { readFlow } from '../../../core/flow/flow.ts';
import { MOST_COUNTED } from '../../../core/flow/waiting.ts';
import type { DestinationCondition } from '../../contract/destinations.ts';
import type { Sql } from '../connection/database.ts';
import { storable } from '../connection/storable.ts';

interface ConditionRow {
  id: string;
  flow: string | null;
  count: number;
  oldestAt: number | null;
}

/** See `DestinationStore.conditions`. */
export async function conditionsOf(
  sql: Sql,
  endpointKey: number,
  destinationId: string | null,
): Promise<DestinationCondition[]> {
  const rows = await sql.rows<ConditionRow>(
    `SELECT d.id, d.flow,
       (SELECT count(*) FROM (
         SELECT 1 FROM open_deliveries WHERE destination_key = d.key LIMIT $3) q) AS count,
       (SELECT e.received_at FROM open_deliveries o
        JOIN events e ON e.endpoint_key = o.endpoint_key AND e.seq = o.event_seq
        WHERE o.destination_key = d.key
        ORDER BY o.event_seq, o.round LIMIT 1) AS "oldestAt"
     FROM destinations d
     WHERE d.endpoint_key = $1 AND d.removed_at IS NULL AND ($2::text IS NULL OR d.id = $2)
     ORDER BY d.key DESC`,
    [endpointKey, storable(destinationId), MOST_COUNTED + 1],
  );
  return rows.map(({ id, flow, count, oldestAt }) => ({
    destinationId: id,
    flow: readFlow(flow),
    waiting: { count: Math.min(count, MOST_COUNTED), atLeast: count > MOST_COUNTED, oldestAt },
  }));
}
