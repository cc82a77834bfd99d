import type { Issue } from '../../../core/issues/issue.ts';
import type { Fold } from '../../contract/issues.ts';
import { CHANGED_ISSUE, ISSUE, issueRowOf, NEW_ISSUE } from '../../shared/issues/issue-rows.ts';
import type { Sql } from '../connection/database.ts';
import { passGates } from '../connection/locks.ts';
import { storableRow } from '../connection/storable.ts';
import { storedCursor } from './failure-facts.ts';
import { lockIssues, StaleBasis } from './stale-basis.ts';

const PLACE = ISSUE.only('endpointKey', 'destinationKey');
const CHANGE = CHANGED_ISSUE.and({ key: 'bigint' });

/**
 * Saves a fold in the caller's transaction, or throws `StaleBasis`. All folds lock in the same
 * order: the cursor, gates, new causes, then issues by key. A removal closes the gate before it
 * ends issues. So a fold that waits for a gate has no lock on an issue that the removal needs.
 */
export async function saveFold(sql: Sql, { cursor, added, changed, dropped }: Fold): Promise<void> {
  if (cursor) await moveCursor(sql, cursor);
  if (added.length > 0) await add(sql, added);
  if (changed.length + dropped.length > 0) await lockIssues(sql, [...changed, ...dropped]);
  if (changed.length > 0) await change(sql, changed);
  if (dropped.length > 0) await drop(sql, dropped);
}

async function moveCursor(
  sql: Sql,
  { name, before, after }: NonNullable<Fold['cursor']>,
): Promise<void> {
  const moved = await sql.run(
    `INSERT INTO cursors AS c (name, position) SELECT $1, $3::bigint
     WHERE $2::bigint = 0 OR EXISTS (SELECT 1 FROM cursors WHERE name = $1)
     ON CONFLICT (name) DO UPDATE SET position = $3 WHERE c.position = $2`,
    [storedCursor(name), before, after],
    'move cursor',
  );
  if (moved === 0) throw new StaleBasis();
}

/**
 * Adds issues. It passes the gates first, so that nobody removes the endpoints or destinations
 * before the commit. A new issue of a removed destination would stay forever.
 */
async function add(sql: Sql, issues: Fold['added']): Promise<void> {
  await passGates(sql, [...new Set(issues.map(({ endpointKey }) => endpointKey))]);
  const gone = await sql.rows(
    `SELECT 1 FROM ${PLACE.unnest('n')}
     WHERE NOT EXISTS (
         SELECT 1 FROM endpoints p WHERE p.key = n.endpoint_key AND p.deleted_at IS NULL)
       OR (n.destination_key <> 0 AND NOT EXISTS (
         SELECT 1 FROM destinations d WHERE d.key = n.destination_key AND d.removed_at IS NULL))
     LIMIT 1`,
    PLACE.arrays(issues),
    'places of issues',
  );
  if (gone.length > 0) throw new StaleBasis();
  // A fixed order prevents deadlocks between two folds that add issues for the same causes.
  const sorted = issues.toSorted(
    (a, b) =>
      a.endpointKey - b.endpointKey ||
      a.destinationKey - b.destinationKey ||
      (a.kind + a.subject < b.kind + b.subject ? -1 : 1),
  );
  const inserted = await sql.run(
    `INSERT INTO issues (${NEW_ISSUE.names}, version)
     SELECT ${NEW_ISSUE.names}, 1 FROM ${NEW_ISSUE.unnest('v')} ON CONFLICT DO NOTHING`,
    NEW_ISSUE.arrays(sorted.map(issueRowOf).map(storableRow)),
    'add issues',
  );
  if (inserted < issues.length) throw new StaleBasis();
}

/** Updates issues. The caller has locked them. */
async function change(sql: Sql, issues: readonly Issue[]): Promise<void> {
  await sql.run(
    `UPDATE issues i SET (${CHANGED_ISSUE.names}) = (${CHANGED_ISSUE.of('v')}),
       version = i.version + 1
     FROM ${CHANGE.unnest('v')} WHERE i.key = v.key`,
    CHANGE.arrays(issues.map((issue) => storableRow({ key: issue.key, ...issueRowOf(issue) }))),
    'change issues',
  );
}

/** Deletes issues. The caller has locked them. */
async function drop(sql: Sql, issues: Fold['dropped']): Promise<void> {
  await sql.run(
    'DELETE FROM issues WHERE key = ANY($1)',
    [issues.map(({ key }) => key)],
    'drop issues',
  );
}
