import type { RuleSource } from '../../../core/rules/rule.ts';
import type { DestinationFilter } from '../../../core/rules/verdict.ts';
import { RULE_VERSIONS } from '../../shared/rule-versions.ts';
import type { Sql } from '../connection/database.ts';
import { storable } from '../connection/storable.ts';

/**
 * Notes a new version of a destination's filter, and forgets the oldest beyond the limit.
 * Returns the version. Runs inside the caller's transaction.
 */
export async function changeRule(
  sql: Sql,
  destinationKey: number,
  filter: RuleSource | null,
  now: number,
): Promise<number> {
  const [row] = await sql.rows<{ version: number }>(
    `WITH changed AS (
       UPDATE destinations SET rule_version = rule_version + 1 WHERE key = $1
       RETURNING rule_version
     )
     INSERT INTO destination_rules (destination_key, version, filter, changed_at)
     SELECT $1, rule_version, $2, $3 FROM changed RETURNING version`,
    [destinationKey, filter === null ? null : storable(filter), now],
  );
  const { version } = row as { version: number };
  await sql.run('DELETE FROM destination_rules WHERE destination_key = $1 AND version <= $2', [
    destinationKey,
    version - RULE_VERSIONS,
  ]);
  return version;
}

/** The present filters of endpoints' destinations. */
export function filtersOf(
  sql: Sql,
  endpointKeys: readonly number[],
): Promise<(DestinationFilter & { endpointKey: number })[]> {
  return sql.rows(
    `SELECT endpoint_key AS "endpointKey", key AS "destinationKey",
       rule_version AS "ruleVersion", settings::json ->> 'filter' AS filter
     FROM destinations
     WHERE endpoint_key = ANY($1) AND removed_at IS NULL
       AND settings::json ->> 'filter' IS NOT NULL
     ORDER BY key`,
    [endpointKeys],
  );
}
