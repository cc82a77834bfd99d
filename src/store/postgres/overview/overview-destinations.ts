import { readFlow } from '../../../core/flow/flow.ts';
import { MOST_COUNTED } from '../../../core/flow/waiting.ts';
import type { Overview } from '../../contract/events.ts';
import {
  DESTINATION_COLUMNS,
  type DestinationRow,
  destinationOf,
} from '../../shared/destinations/destination-rows.ts';
import { waitingAndHeld } from '../../shared/overview/overview.ts';
import type { Sql } from '../connection/database.ts';

interface Row extends DestinationRow {
  endpointId: string;
  count: number;
  oldestAt: number | null;
}

/** Returns how much waits for the endpoints' destinations, and which destinations don't deliver. */
export async function overviewDestinations(
  sql: Sql,
  endpointKeys: readonly number[],
): Promise<Pick<Overview, 'waiting' | 'held'>> {
  const rows = await sql.rows<Row>(
    `SELECT ${DESTINATION_COLUMNS}, p.id AS "endpointId",
       (SELECT count(*) FROM (
         SELECT 1 FROM open_deliveries WHERE destination_key = d.key LIMIT $2) q) AS count,
       (SELECT e.received_at FROM open_deliveries o
        JOIN events e ON e.endpoint_key = o.endpoint_key AND e.seq = o.event_seq
        WHERE o.destination_key = d.key
        ORDER BY o.event_seq, o.round LIMIT 1) AS "oldestAt"
     FROM destinations d JOIN endpoints p ON p.key = d.endpoint_key
     WHERE d.endpoint_key = ANY($1) AND d.removed_at IS NULL AND NOT d.one_off`,
    [endpointKeys, MOST_COUNTED + 1],
  );
  return waitingAndHeld(
    rows.map(({ endpointId, count, oldestAt, ...row }) => ({
      endpointId,
      destination: destinationOf(row),
      flow: readFlow(row.flow),
      waiting: { count: Math.min(count, MOST_COUNTED), atLeast: count > MOST_COUNTED, oldestAt },
    })),
  );
}
