import { type Flow, readFlow, storedFlow } from '../../../core/flow/flow.ts';
import { Columns } from '../../shared/columns.ts';
import type { SendLast, Sql } from '../connection/database.ts';

/** Stores the flow of a destination. The caller has locked the destination. */
export const SAVE_FLOW = 'UPDATE destinations SET flow = $1 WHERE key = $2';

export async function saveFlow(sql: Sql, destinationKey: number, flow: Flow): Promise<void> {
  await sql.run(SAVE_FLOW, [storedFlow(flow), destinationKey], 'save flow');
}

export const CHANGED_FLOW = new Columns({ key: 'bigint', flow: 'text?' });
export const SAVE_FLOWS = `
  UPDATE destinations d SET flow = f.flow FROM ${CHANGED_FLOW.unnest('f')} WHERE d.key = f.key`;

/** Locks destinations and changes their flows, in the caller's transaction. */
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
  sendLast(SAVE_FLOWS, CHANGED_FLOW.arrays(changed), 'move flows');
}
