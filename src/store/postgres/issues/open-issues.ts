import type { StoreStats } from '../../contract/store.ts';
import { issueStateCode, kindOf } from '../../shared/issues/issue-codes.ts';
import type { Sql } from '../connection/database.ts';

/** See `StoreStats`. `IN (1, 2)` is the condition of the index `issues_open`. */
export async function readOpenIssues(sql: Sql): Promise<StoreStats['openIssues']> {
  const rows = await sql.rows<{ kind: number; open: number }>(
    `SELECT i.kind, count(*) AS open FROM issues i
     JOIN endpoints p ON p.key = i.endpoint_key AND p.deleted_at IS NULL
     WHERE i.state IN (1, 2) AND i.state = ${issueStateCode('open')} GROUP BY i.kind`,
  );
  return Object.fromEntries(rows.map(({ kind, open }) => [kindOf(kind), open]));
}
