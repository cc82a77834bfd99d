import type { RetentionTerms } from '../../contract/upkeep.ts';
import { firstSlice } from '../../shared/upkeep/doomed-events.ts';
import type { Sql } from '../connection/database.ts';

interface SizedRejected {
  seq: number;
  size: number;
}

/** Selects rejected requests that are older than their endpoint's retention. */
export const RETIRED_REJECTED = `
  SELECT r.seq, r.size FROM endpoints p CROSS JOIN LATERAL (
    SELECT q.seq, q.size FROM rejected_requests q
    WHERE q.endpoint_key = p.key AND q.received_at < coalesce($3::bigint - p.retention_ms, $1::bigint)
    ORDER BY q.received_at LIMIT $2 FOR UPDATE SKIP LOCKED) r
  LIMIT $2`;

/**
 * Deletes rejected requests that are older than their endpoint's retention. Returns whether to call
 * again.
 */
export async function retireRejected(
  sql: Sql,
  { before, now }: RetentionTerms,
  most: number,
): Promise<boolean> {
  const values = [before, most, now ?? null];
  return removeSlice(sql, await sql.rows<SizedRejected>(RETIRED_REJECTED, values), most);
}

/** Deletes rejected requests of a removed endpoint. Returns whether to call again. */
export async function purgeRejected(sql: Sql, endpointKey: number, most: number): Promise<boolean> {
  const found = await sql.rows<SizedRejected>(
    `SELECT seq, size FROM rejected_requests WHERE endpoint_key = $1
     ORDER BY received_at LIMIT $2 FOR UPDATE`,
    [endpointKey, most],
  );
  return removeSlice(sql, found, most);
}

async function removeSlice(sql: Sql, found: SizedRejected[], most: number): Promise<boolean> {
  if (found.length === 0) return false;
  const slice = firstSlice(found);
  const seqs = slice.map(({ seq }) => seq);
  await sql.run('DELETE FROM rejected_requests WHERE seq = ANY($1)', [seqs]);
  return slice.length < found.length || found.length === most;
}
