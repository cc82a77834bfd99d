import { kindCode } from '../../../shared/issues/issue-codes.ts';
import { ISSUE_COLUMNS } from '../../../shared/issues/issue-rows.ts';

/** Issues `i` with what names them, for a `NamedIssueRow`. Without those of deleted endpoints. */
export const NAMED_ISSUES = `
  SELECT ${ISSUE_COLUMNS}, p.id AS endpoint_id, p.settings AS endpoint_settings, d.id AS destination_id,
    d.url AS destination_url, d.settings AS destination_settings, c.id AS channel_id,
    c.type AS channel_type, c.target AS channel_target
  FROM issues i
  CROSS JOIN endpoints p ON p.key = i.endpoint_key AND p.deleted_at IS NULL
  LEFT JOIN destinations d ON d.key = i.destination_key
  LEFT JOIN channels c
    ON i.kind = ${kindCode('alert')} AND c.destination_key = i.destination_key`;
