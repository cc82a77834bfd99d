import { type Flow, readFlow, storedFlow } from '../../../../core/flow/flow.ts';
import type { SendLast, Sql } from '../../connection/database.ts';

/** Changes the flows of destinations, which are locked from then on, in the caller's transaction. */
export async function changeFlows(
  { sql, sendLast }: { sql: Sql; sendLast: SendLast },
  destinationKeys: readonly number[],
  change: (flow: Flow, destinationKey: number) => Flow,
): Promise<void> {
  const rows = await sql.rows<{ key: number; flow: string | null }>(
    `SELECT key, flow FROM destinations WHERE key = ANY($1) AND flow IS NOT NULL
     ORDER BY key FOR NO KEY UPDATE`,
    [destinationKeys],
    'lock flows',
  );
  const changed = rows.flatMap(({ key, flow }) => {
    const after = storedFlow(change(readFlow(flow), key));
    return after === flow ? [] : [{ key, flow: after }];
  });
  if (changed.length === 0) return;
  sendLast(
    `UPDATE destinations d SET flow = f.flow
     FROM unnest($1::bigint[], $2::text[]) AS f(key, flow) WHERE d.key = f.key`,
    [changed.map(({ key }) => key), changed.map(({ flow }) => flow)],
    'move flows',
  );
}
