import type { Issue } from '../../../core/issues/issue.ts';
import type { NotifiedIssue } from '../../contract/issues.ts';
import { issueStateCode } from '../../shared/issues/issue-codes.ts';
import { ISSUE } from '../../shared/issues/issue-rows.ts';
import type { Sql } from '../connection/database.ts';

const DUE = ISSUE.only('key', 'state', 'notifyAt');
const VERSION = ISSUE.only('key', 'version');

/** Throw this to roll back a transaction if another transaction has changed what this one read. */
export class StaleBasis extends Error {}

/** Returns false if `StaleBasis` rolled the transaction back, otherwise true. */
export async function unlessStale(transaction: Promise<void>): Promise<boolean> {
  try {
    await transaction;
    return true;
  } catch (error) {
    if (error instanceof StaleBasis) return false;
    throw error;
  }
}

/**
 * Locks issues whose notification is due. Throws `StaleBasis` if a state or a due time has changed.
 */
export async function lockDue(
  sql: Sql,
  issues: readonly Pick<NotifiedIssue, 'key' | 'due'>[],
): Promise<void> {
  const locked = await sql.rows(
    `SELECT 1 FROM issues i
     JOIN ${DUE.unnest('b')} ON b.key = i.key
     WHERE i.state = b.state AND i.tell_at = b.tell_at ORDER BY i.key FOR UPDATE OF i`,
    DUE.arrays(issues.map(({ key, due }) => ({ ...due, key, state: issueStateCode(due.state) }))),
    'lock due issues',
  );
  if (locked.length < issues.length) throw new StaleBasis();
}

/** Locks issues. Throws `StaleBasis` if one was deleted or has another version. */
export async function lockIssues(
  sql: Sql,
  issues: readonly Pick<Issue, 'key' | 'version'>[],
): Promise<void> {
  const locked = await sql.rows(
    `SELECT 1 FROM issues i
     JOIN ${VERSION.unnest('b')} ON b.key = i.key
     WHERE i.version = b.version ORDER BY i.key FOR UPDATE OF i`,
    VERSION.arrays(issues),
    'lock issues',
  );
  if (locked.length < issues.length) throw new StaleBasis();
}
