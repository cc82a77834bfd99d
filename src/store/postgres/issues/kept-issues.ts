import type { Issue, IssueCause, IssueKind } from '../../../core/issues/issue.ts';
import { issueStateCode, kindCode } from '../../shared/issues/issue-codes.ts';
import {
  ISSUE,
  ISSUE_CAUSE,
  type IssueRow,
  issueOf,
  MOST_BY_DESTINATIONS,
} from '../../shared/issues/issue-rows.ts';
import type { Sql } from '../connection/database.ts';
import { storableRow } from '../connection/storable.ts';

const SEEN = `${issueStateCode('open')}, ${issueStateCode('acknowledged')}`;

export const BY_CAUSES = `
  SELECT ${ISSUE.read('i')}
  FROM ${ISSUE_CAUSE.unnest('n')} JOIN issues i USING (${ISSUE_CAUSE.names})`;

/** See `IssueStore.byCauses`. */
export async function issuesByCauses(sql: Sql, causes: readonly IssueCause[]): Promise<Issue[]> {
  const rows = await sql.rows<IssueRow>(
    BY_CAUSES,
    ISSUE_CAUSE.arrays(
      causes.map((cause) => storableRow({ ...cause, kind: kindCode(cause.kind) })),
    ),
    'issues by causes',
  );
  return rows.map(issueOf);
}

export const BY_DESTINATIONS = `
  SELECT ${ISSUE.read('i')} FROM issues i
  WHERE i.destination_key = ANY($1) AND i.destination_key <> 0 AND i.kind = ANY($2)
  LIMIT ${MOST_BY_DESTINATIONS}`;

/** See `IssueStore.byDestinations`. */
export async function issuesByDestinations(
  sql: Sql,
  destinationKeys: readonly number[],
  kinds: readonly IssueKind[],
): Promise<Issue[]> {
  const rows = await sql.rows<IssueRow>(
    BY_DESTINATIONS,
    [destinationKeys, kinds.map(kindCode)],
    'issues by destinations',
  );
  return rows.map(issueOf);
}

export const CLOSING = `
  SELECT ${ISSUE.read('i')} FROM issues i
  WHERE i.successes > 0 AND i.state IN (${issueStateCode('forming')}, ${SEEN})
    AND i.kind IN (${kindCode('delivery')}, ${kindCode('alert')}) AND i.key > $1
  ORDER BY i.key LIMIT $2`;

/** See `IssueStore.closing`. */
export async function closingIssues(sql: Sql, afterKey: number, limit: number): Promise<Issue[]> {
  const rows = await sql.rows<IssueRow>(CLOSING, [afterKey, limit], 'closing issues');
  return rows.map(issueOf);
}

export const OPEN_OF_KIND = `
  SELECT ${ISSUE.read('i')} FROM issues i
  WHERE i.kind = $1 AND i.state IN (${SEEN}) AND i.key > $2 ORDER BY i.key LIMIT $3`;

/** See `IssueStore.openOf`. */
export async function openIssues(
  sql: Sql,
  kind: IssueKind,
  afterKey: number,
  limit: number,
): Promise<Issue[]> {
  const values = [kindCode(kind), afterKey, limit];
  const rows = await sql.rows<IssueRow>(OPEN_OF_KIND, values, 'open issues');
  return rows.map(issueOf);
}

export const IDLE = `
  SELECT n.key FROM unnest($1::bigint[]) AS n(key)
  WHERE NOT EXISTS (SELECT 1 FROM open_deliveries v WHERE v.destination_key = n.key)
    OR NOT EXISTS (
      SELECT 1 FROM destinations d JOIN endpoints p ON p.key = d.endpoint_key
      WHERE d.key = n.key AND d.removed_at IS NULL AND p.deleted_at IS NULL)`;

/** See `IssueStore.idle`. `sql` must read one snapshot, so that deliveries and attempts agree. */
export async function idleOf(
  sql: Sql,
  destinationKeys: readonly number[],
): Promise<{ destinations: Set<number>; upTo: number }> {
  const rows = await sql.rows<{ key: number }>(IDLE, [destinationKeys], 'idle destinations');
  const [last] = await sql.rows<{ upTo: number }>(
    'SELECT coalesce(max(seq), 0) AS "upTo" FROM attempts',
    [],
    'last attempt',
  );
  return { destinations: new Set(rows.map(({ key }) => key)), upTo: last?.upTo ?? 0 };
}

/**
 * Deletes old resolved issues. Skips locked rows, because another node is changing these issues.
 * The array makes PostgreSQL run the inner query once. As a join, that query could run again, and
 * then lock and delete more rows than the limit.
 */
export const DROP_RESOLVED = `
  DELETE FROM issues WHERE key = ANY(ARRAY(
    SELECT key FROM issues WHERE state = ${issueStateCode('resolved')} AND last_at < $1
    ORDER BY last_at LIMIT $2 FOR UPDATE SKIP LOCKED))`;
