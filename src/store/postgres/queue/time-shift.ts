import { readFlow, storedFlow } from '../../../core/flow/flow.ts';
import { type ALWAYS, shiftedFlow } from '../../../core/flow/shifted-flow.ts';
import type { Sql } from '../connection/database.ts';
import { CHANGED_FLOW, SAVE_FLOWS } from './change-flows.ts';

/**
 * If two nodes report the same jump of the clock within this time, ms, due times shift only once.
 */
const SAME_JUMP_MS = 120_000;
const SAME_JUMP_TOLERANCE_MS = 5000;

const IN_SPAN = 'next_attempt_at > $2 AND next_attempt_at < $4';
/**
 * SQL condition: the lease dates from before the clock's jump, whenever its delivery is due. If the
 * clock was set ahead ($1 > 0), such leases must shift too. Otherwise they would end while nodes
 * that haven't noticed the jump still use them. Leases from after the jump end after $3, so they
 * don't match.
 */
const OLD_LEASE = 'lease_until > greatest($2::bigint, 0) AND ($1 < 0 OR lease_until <= $3)';

/**
 * Shifts times for all nodes, in the caller's transaction. Later calls for the same jump change
 * nothing.
 */
export async function shiftTimes(
  sql: Sql,
  node: string,
  byMs: number,
  only: typeof ALWAYS,
): Promise<void> {
  const [last] = await sql.rows<{ value: string }>(
    `INSERT INTO meta (name, value) VALUES ('due_shift', '{}')
     ON CONFLICT (name) DO UPDATE SET value = meta.value RETURNING value`,
  );
  const [clock] = await sql.rows<{ now: number }>(
    'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now',
  );
  const now = clock?.now ?? 0;
  const before = JSON.parse(last?.value ?? '{}') as { node?: string; by?: number; at?: number };
  const isSame =
    before.node !== undefined &&
    before.node !== node &&
    Math.abs((before.by ?? 0) - byMs) < SAME_JUMP_TOLERANCE_MS &&
    Math.abs(now - (before.at ?? 0)) < SAME_JUMP_MS;
  if (isSame) return;
  await sql.run(
    `UPDATE open_deliveries
     SET next_attempt_at = next_attempt_at + CASE WHEN ${IN_SPAN} THEN $1 ELSE 0 END,
       lease_until = lease_until + CASE WHEN ${OLD_LEASE} THEN $1 ELSE 0 END
     WHERE (${IN_SPAN}) OR (${OLD_LEASE})`,
    [byMs, only.after, now, only.before],
  );
  await sql.run(
    `UPDATE ended_claims SET lease_until = lease_until + $1::bigint WHERE ${OLD_LEASE}`,
    [byMs, only.after, now],
  );
  const flows = await sql.rows<{ key: number; flow: string }>(
    `SELECT key, flow FROM destinations WHERE flow IS NOT NULL
     ORDER BY key FOR NO KEY UPDATE`,
  );
  const shifted = flows.map(({ key, flow }) => ({
    key,
    flow: storedFlow(shiftedFlow(readFlow(flow), byMs, only)),
  }));
  await sql.run(SAVE_FLOWS, CHANGED_FLOW.arrays(shifted));
  await sql.run("UPDATE meta SET value = $1 WHERE name = 'due_shift'", [
    JSON.stringify({ node, by: byMs, at: now }),
  ]);
}
