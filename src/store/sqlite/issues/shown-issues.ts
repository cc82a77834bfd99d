import type { Database } from 'better-sqlite3';
import type { IssueFilter, IssuePage, IssueScope, IssueWindow } from '../../contract/issues.ts';
import { issueStateCode, kindCode } from '../../shared/issues/issue-codes.ts';
import {
  NAMED_ISSUE_COLUMNS,
  type NamedIssueRow,
  namedIssueOf,
} from '../../shared/issues/issue-rows.ts';

/** Selects a `NamedIssueRow` for each issue `i`. Omits issues of deleted endpoints. */
export const NAMED_ISSUES = `
  SELECT ${NAMED_ISSUE_COLUMNS}
  FROM issues i
  CROSS JOIN endpoints p ON p.key = i.endpoint_key AND p.deleted_at IS NULL
  LEFT JOIN destinations d ON d.key = i.destination_key
  LEFT JOIN channels c
    ON i.kind = ${kindCode('alert')} AND c.destination_key = i.destination_key`;

interface Values {
  userId: string;
  /** The endpoint ids as a JSON array; null for all endpoints. */
  endpointIds: string | null;
  state: number | null;
  kind: number | null;
  endpointId: string | null;
}

/** The index by account has only these issues. */
const IS_SHOWN = `i.state <> ${issueStateCode('forming')}`;

const MATCHES = `i.user_id = @userId AND ${IS_SHOWN}
  AND (@endpointIds IS NULL OR p.id IN (SELECT value FROM json_each(@endpointIds)))
  AND i.state = coalesce(@state, i.state) AND i.kind = coalesce(@kind, i.kind)
  AND p.id = coalesce(@endpointId, p.id)`;

/** See `IssueStore.list`. */
export function listIssues(
  db: Database,
  scope: IssueScope,
  filter: IssueFilter,
  { offset, limit }: IssueWindow,
): IssuePage {
  const values: Values = {
    userId: scope.userId,
    endpointIds: scopeIds(scope),
    state: filter.state === undefined ? null : issueStateCode(filter.state),
    kind: filter.kind === undefined ? null : kindCode(filter.kind),
    endpointId: filter.endpointId ?? null,
  };
  const total = db
    .prepare<[Values], number>(`
      SELECT count(*) FROM issues i
      CROSS JOIN endpoints p ON p.key = i.endpoint_key AND p.deleted_at IS NULL
      WHERE ${MATCHES}`)
    .pluck()
    .get(values) as number;
  const rows = db
    .prepare<[Values & IssueWindow], NamedIssueRow>(`
      ${NAMED_ISSUES} WHERE ${MATCHES}
      ORDER BY i.last_at DESC, i.key DESC LIMIT @limit OFFSET @offset`)
    .all({ ...values, limit, offset });
  return { issues: rows.map(namedIssueOf), total };
}

/** Returns the endpoints of a scope as JSON; null for all endpoints. */
export function scopeIds({ endpointIds }: IssueScope): string | null {
  return endpointIds && JSON.stringify(endpointIds);
}
