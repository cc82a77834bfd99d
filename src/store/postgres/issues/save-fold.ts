import type { Issue } from '../../../core/issues/issue.ts';
import type { Fold } from '../../contract/issues.ts';
import { type IssueRow, issueRowOf } from '../../shared/issues/issue-rows.ts';
import type { Sql } from '../connection/database.ts';
import { passGates } from '../connection/locks.ts';
import { storable } from '../connection/storable.ts';
import { storedCursor } from './failure-facts.ts';
import { lockIssues, StaleBasis } from './stale-basis.ts';

type Column = keyof Omit<IssueRow, 'key' | 'version'>;

/** The columns that a fold writes, and their types. */
const TYPES: Readonly<Record<Column, string>> = {
  id: 'text',
  user_id: 'text',
  kind: 'smallint',
  endpoint_key: 'bigint',
  destination_key: 'bigint',
  subject: 'text',
  state: 'smallint',
  count: 'bigint',
  first_at: 'bigint',
  last_at: 'bigint',
  event_ids: 'text',
  course: 'text',
  successes: 'integer',
  cause: 'text',
  suggestion: 'text',
  told: 'smallint',
  told_at: 'bigint',
  tell_at: 'bigint',
};
const NAMES = Object.keys(TYPES) as Column[];
const COLUMNS = NAMES.join(', ');
const ARRAYS = NAMES.map((name, i) => `$${i + 1}::${TYPES[name]}[]`).join(', ');

/**
 * Saves a fold in the caller's transaction, or throws `StaleBasis`. All folds take their
 * locks in one order: the cursor, gates, new causes, issues by key. A removal closes the gate
 * before it ends issues, so no fold that waits for a gate holds an issue.
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
 * Adds issues of causes that have none. Past the gates, nobody removes an endpoint or a
 * destination: a new issue of what is removed would stay for ever.
 */
async function add(sql: Sql, issues: Fold['added']): Promise<void> {
  await passGates(sql, [...new Set(issues.map(({ endpointKey }) => endpointKey))]);
  const gone = await sql.rows(
    `SELECT 1 FROM unnest($1::bigint[], $2::bigint[]) AS n(endpoint_key, destination_key)
     WHERE NOT EXISTS (
         SELECT 1 FROM endpoints p WHERE p.key = n.endpoint_key AND p.deleted_at IS NULL)
       OR (n.destination_key <> 0 AND NOT EXISTS (
         SELECT 1 FROM destinations d WHERE d.key = n.destination_key AND d.removed_at IS NULL))
     LIMIT 1`,
    [
      issues.map(({ endpointKey }) => endpointKey),
      issues.map(({ destinationKey }) => destinationKey),
    ],
    'places of issues',
  );
  if (gone.length > 0) throw new StaleBasis();
  // Two folds that add the same causes wait for each other in one order.
  const sorted = issues.toSorted(
    (a, b) =>
      a.endpointKey - b.endpointKey ||
      a.destinationKey - b.destinationKey ||
      (a.kind + a.subject < b.kind + b.subject ? -1 : 1),
  );
  const inserted = await sql.run(
    `INSERT INTO issues (${COLUMNS}, version)
     SELECT ${COLUMNS}, 1 FROM unnest(${ARRAYS}) AS v(${COLUMNS}) ON CONFLICT DO NOTHING`,
    columnsOf(sorted),
    'add issues',
  );
  if (inserted < issues.length) throw new StaleBasis();
}

/** Changes locked issues. */
async function change(sql: Sql, issues: readonly Issue[]): Promise<void> {
  await sql.run(
    `UPDATE issues i SET (${COLUMNS}, version) =
       (${NAMES.map((name) => `v.${name}`).join(', ')}, i.version + 1)
     FROM unnest(${ARRAYS}, $${NAMES.length + 1}::bigint[]) AS v(${COLUMNS}, key)
     WHERE i.key = v.key`,
    [...columnsOf(issues), issues.map(({ key }) => key)],
    'change issues',
  );
}

/** Deletes locked issues. */
async function drop(sql: Sql, issues: Fold['dropped']): Promise<void> {
  await sql.run(
    'DELETE FROM issues WHERE key = ANY($1)',
    [issues.map(({ key }) => key)],
    'drop issues',
  );
}

function columnsOf(issues: readonly Omit<Issue, 'key' | 'version'>[]): unknown[] {
  const rows = issues.map(issueRowOf);
  return NAMES.map((name) =>
    rows.map((row) => {
      const value = row[name];
      return typeof value === 'string' ? storable(value) : value;
    }),
  );
}
