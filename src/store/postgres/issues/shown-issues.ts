import type { NamedIssue } from '../../../core/issues/issue.ts';
import type {
  IssueFilter,
  IssuePage,
  IssueScope,
  IssueStore,
  IssueWindow,
} from '../../contract/issues.ts';
import { issueStateCode, kindCode } from '../../shared/issues/issue-codes.ts';
import {
  ISSUE,
  NAMED_ISSUE_COLUMNS,
  type NamedIssueRow,
  namedIssueOf,
} from '../../shared/issues/issue-rows.ts';
import type { Sql } from '../connection/database.ts';
import { storable } from '../connection/storable.ts';

/** Issues with their endpoints, destinations and channels, without those of deleted endpoints. */
const TABLES = `issues i
  JOIN endpoints p ON p.key = i.endpoint_key AND p.deleted_at IS NULL
  LEFT JOIN destinations d ON d.key = i.destination_key
  LEFT JOIN channels c ON c.destination_key = i.destination_key AND i.kind = ${kindCode('alert')}`;

const NAMED = `SELECT ${NAMED_ISSUE_COLUMNS} FROM ${TABLES}`;

/** The columns that a person's decision changes. */
const STATE = ISSUE.only('state', 'lastAt', 'notifyAt');

/** SQL condition: the issue is in the scope. Its parameters are `scopeValues`. */
const IN_SCOPE = `i.user_id = $1 AND i.state <> 0 AND ($2::text[] IS NULL OR p.id = ANY($2))`;

const FILTERED = `${IN_SCOPE} AND ($3::smallint IS NULL OR i.state = $3)
  AND ($4::smallint IS NULL OR i.kind = $4) AND ($5::text IS NULL OR p.id = $5)`;

const ISSUE_COUNT = `SELECT count(*) AS total FROM issues i
  JOIN endpoints p ON p.key = i.endpoint_key AND p.deleted_at IS NULL WHERE ${FILTERED}`;

export const ISSUE_PAGE = `${NAMED} WHERE ${FILTERED}
  ORDER BY i.last_at DESC, i.key DESC LIMIT $6 OFFSET $7`;

/** Selects issues whose notification is due, by due time. */
export const TO_NOTIFY = `${NAMED} WHERE i.tell_at <= $1 AND i.user_id <> ALL($3::text[])
  ORDER BY i.tell_at, i.key LIMIT $2`;

function scopeValues({ userId, endpointIds }: IssueScope): unknown[] {
  return [userId, endpointIds?.map(storable) ?? null];
}

/** See `IssueStore.list`. */
export async function listIssues(
  sql: Sql,
  scope: IssueScope,
  filter: IssueFilter,
  { offset, limit }: IssueWindow,
): Promise<IssuePage> {
  const values = [
    ...scopeValues(scope),
    filter.state === undefined ? null : issueStateCode(filter.state),
    filter.kind === undefined ? null : kindCode(filter.kind),
    storable(filter.endpointId ?? null),
  ];
  const [counted] = await sql.rows<{ total: number }>(ISSUE_COUNT, values);
  const rows = await sql.rows<NamedIssueRow>(ISSUE_PAGE, [...values, limit, offset]);
  return { issues: rows.map(namedIssueOf), total: counted?.total ?? 0 };
}

/** See `IssueStore.find`. */
export async function findIssue(
  sql: Sql,
  scope: IssueScope,
  id: string,
): Promise<NamedIssue | null> {
  const [row] = await sql.rows<NamedIssueRow>(`${NAMED} WHERE ${IN_SCOPE} AND i.id = $3`, [
    ...scopeValues(scope),
    storable(id),
  ]);
  return row ? namedIssueOf(row) : null;
}

/** See `IssueStore.setState`. */
export async function setIssueState(
  sql: Sql,
  scope: IssueScope,
  id: string,
  { version, state, lastAt, notifyAt }: Parameters<IssueStore['setState']>[2],
): Promise<NamedIssue | 'changed' | null> {
  const changed = await sql.run(
    `UPDATE issues i SET (${STATE.names}) = (${STATE.numbers(5)}),
       version = i.version + 1
     FROM endpoints p
     WHERE p.key = i.endpoint_key AND p.deleted_at IS NULL AND ${IN_SCOPE}
       AND i.id = $3 AND i.version = $4`,
    [
      ...[...scopeValues(scope), storable(id), version],
      ...STATE.values({ state: issueStateCode(state), lastAt, notifyAt }),
    ],
  );
  const found = await findIssue(sql, scope, id);
  return found && changed === 0 ? 'changed' : found;
}

/** See `IssueStore.toNotify`. */
export async function issuesToNotify(
  sql: Sql,
  now: number,
  limit: number,
  exceptUserIds: readonly string[],
): Promise<NamedIssue[]> {
  const values = [now, limit, exceptUserIds];
  const rows = await sql.rows<NamedIssueRow>(TO_NOTIFY, values, 'issues to notify');
  return rows.map(namedIssueOf);
}
