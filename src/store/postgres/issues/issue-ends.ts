import { issueStateCode } from '../../shared/issues/issue-codes.ts';
import type { Sql } from '../connection/database.ts';

/*
 * Ends the issues of removed endpoints and destinations, in the caller's transaction and without a
 * notification. Each issue is deleted or gets a new version, so a fold of older facts is refused.
 */

// The index has the condition on 0, so PostgreSQL can use the index only with that condition.
const OF_DESTINATION = 'destination_key = $1 AND destination_key <> 0';
const OF_ENDPOINT = 'endpoint_key = $1';
const FORMING = issueStateCode('forming');
const RESOLVED = issueStateCode('resolved');

export function endIssuesOfDestination(sql: Sql, key: number, now: number): Promise<void> {
  return end(sql, OF_DESTINATION, key, now);
}

export function endIssuesOfEndpoint(sql: Sql, key: number, now: number): Promise<void> {
  return end(sql, OF_ENDPOINT, key, now);
}

async function end(sql: Sql, own: string, key: number, now: number): Promise<void> {
  // Folds lock issues in the same order, by key.
  await sql.rows(`SELECT 1 FROM issues WHERE ${own} ORDER BY key FOR UPDATE`, [key]);
  // Delete forming issues, because resolved issues are shown, and nobody has seen these.
  await sql.run(`DELETE FROM issues WHERE ${own} AND state = ${FORMING}`, [key]);
  await sql.run(
    `UPDATE issues SET state = ${RESOLVED}, tell_at = NULL, version = version + 1,
       last_at = CASE WHEN state = ${RESOLVED} THEN last_at ELSE greatest(last_at, $2) END
     WHERE ${own}`,
    [key, now],
  );
}
