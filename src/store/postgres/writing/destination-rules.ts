import type { RuleSource } from '../../../core/rules/rule.ts';
import type { DestinationFilter } from '../../../core/rules/verdict.ts';
import type { Change, RuleVersion } from '../../contract/destinations.ts';
import { RULE_VERSIONS } from '../../shared/stored-settings.ts';
import type { Sql } from '../connection/database.ts';
import { storable } from '../connection/storable.ts';

/** Whether a destination needs verdicts on requests. */
export const IS_JUDGED = `(settings::json ->> 'filter' IS NOT NULL
  OR settings::json ->> 'order_by' IS NOT NULL)`;

/**
 * Notes a new version of a destination's filter, and forgets the oldest beyond the limit.
 * Returns the version. Runs inside the caller's transaction.
 */
export async function changeRule(
  sql: Sql,
  destinationKey: number,
  filter: RuleSource | null,
  { at, by }: Change,
): Promise<number> {
  const [row] = await sql.rows<{ version: number }>(
    `WITH changed AS (
       UPDATE destinations SET rule_version = rule_version + 1 WHERE key = $1
       RETURNING rule_version
     )
     INSERT INTO destination_rules (destination_key, version, filter, changed_at, changed_by)
     SELECT $1, rule_version, $2, $3, $4 FROM changed RETURNING version`,
    [destinationKey, storable(filter), at, storable(by)],
  );
  const { version } = row as { version: number };
  await sql.run('DELETE FROM destination_rules WHERE destination_key = $1 AND version <= $2', [
    destinationKey,
    version - RULE_VERSIONS,
  ]);
  return version;
}

/** The versions of a destination's filter, newest first. */
export function ruleVersions(db: Sql, destinationKey: number): Promise<RuleVersion[]> {
  return db.rows(
    `SELECT version, filter, changed_at AS "changedAt", changed_by AS "changedBy"
     FROM destination_rules WHERE destination_key = $1 ORDER BY version DESC`,
    [destinationKey],
  );
}

/** The present filters and orders of endpoints' destinations. */
export function filtersOf(
  sql: Sql,
  endpointKeys: readonly number[],
): Promise<(DestinationFilter & { endpointKey: number })[]> {
  return sql.rows(
    `SELECT endpoint_key AS "endpointKey", key AS "destinationKey",
       rule_version AS "ruleVersion", settings::json ->> 'filter' AS filter,
       settings::json ->> 'order_by' AS "orderBy"
     FROM destinations
     WHERE endpoint_key = ANY($1) AND removed_at IS NULL AND ${IS_JUDGED}
     ORDER BY key`,
    [endpointKeys],
  );
}
