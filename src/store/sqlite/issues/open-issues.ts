import type { Database } from 'better-sqlite3';
import type { StoreStats } from '../../contract/store.ts';
import { issueStateCode, kindOf } from '../../shared/issues/issue-codes.ts';

/** See `StoreStats`. Reads an index that has only open and acknowledged issues. */
export function readOpenIssues(db: Database): StoreStats['openIssues'] {
  const rows = db
    .prepare<[], { kind: number; open: number }>(`
      SELECT i.kind, count(*) AS open FROM issues i INDEXED BY issues_open
      CROSS JOIN endpoints p ON p.key = i.endpoint_key AND p.deleted_at IS NULL
      WHERE i.state IN (1, 2) AND i.state = ${issueStateCode('open')} GROUP BY i.kind`)
    .all();
  return Object.fromEntries(rows.map(({ kind, open }) => [kindOf(kind), open]));
}
