import type { Issue } from '../../../core/issues/issue.ts';
import type { Sql } from '../connection/database.ts';

/** Ends a transaction whose basis another one has changed. */
export class StaleBasis extends Error {}

/** Runs `transaction`. False where it was rolled back because its basis is stale. */
export async function unlessStale(transaction: Promise<void>): Promise<boolean> {
  try {
    await transaction;
    return true;
  } catch (error) {
    if (error instanceof StaleBasis) return false;
    throw error;
  }
}

/** Locks issues. Throws `StaleBasis` where one has another version, or is gone. */
export async function lockIssues(
  sql: Sql,
  issues: readonly Pick<Issue, 'key' | 'version'>[],
): Promise<void> {
  const locked = await sql.rows(
    `SELECT 1 FROM issues i
     JOIN unnest($1::bigint[], $2::integer[]) AS b(key, version) ON b.key = i.key
     WHERE i.version = b.version ORDER BY i.key FOR UPDATE OF i`,
    [issues.map(({ key }) => key), issues.map(({ version }) => version)],
    'lock issues',
  );
  if (locked.length < issues.length) throw new StaleBasis();
}
