import { kindCode } from '../../shared/issues/issue-codes.ts';
import { NAMED_ISSUE_COLUMNS } from '../../shared/issues/issue-rows.ts';

/** Issues `i` with what names them, for a `NamedIssueRow`. Without those of deleted endpoints. */
export const NAMED_ISSUES = `
  SELECT ${NAMED_ISSUE_COLUMNS}
  FROM issues i
  CROSS JOIN endpoints p ON p.key = i.endpoint_key AND p.deleted_at IS NULL
  LEFT JOIN destinations d ON d.key = i.destination_key
  LEFT JOIN channels c
    ON i.kind = ${kindCode('alert')} AND c.destination_key = i.destination_key`;
