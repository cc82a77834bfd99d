import type { BroughtSeen } from '../../../core/issues/brought-secret.ts';
import type { Sql } from '../connection/database.ts';

/** See `IssueStore.broughtSecrets`. */
export function readBroughtSecrets(
  sql: Sql,
  afterKey: number,
  limit: number,
): Promise<BroughtSeen[]> {
  return sql.rows<BroughtSeen>(
    `SELECT key AS "endpointKey", user_id AS "userId",
       (source::json #>> '{brought,at}')::bigint AS at,
       source::json #>> '{brought,eventId}' AS "eventId"
     FROM endpoints
     WHERE key > $1 AND source IS NOT NULL AND deleted_at IS NULL
       AND source::json -> 'brought' IS NOT NULL
     ORDER BY key LIMIT $2`,
    [afterKey, limit],
    'brought secrets',
  );
}
