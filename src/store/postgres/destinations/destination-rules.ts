import type { RuleSource } from '../../../core/rules/rule.ts';
import type { DestinationFilter } from '../../../core/rules/verdict.ts';
import type { ChangeStamp, RuleVersion } from '../../contract/destinations.ts';
import { DESTINATION_RULE, RULE_VERSION } from '../../shared/destinations/destination-rows.ts';
import { RULE_VERSIONS } from '../../shared/stored-settings.ts';
import type { Sql } from '../connection/database.ts';
import { storableRow } from '../connection/storable.ts';

const NEW_RULE = DESTINATION_RULE.without('version');

/** SQL condition: the destination has a filter or an order, so requests need verdicts for it. */
export const IS_JUDGED = `(settings::json ->> 'filter' IS NOT NULL
  OR settings::json ->> 'order_by' IS NOT NULL)`;

/**
 * Records a new version of a destination's filter, in the caller's transaction. Returns the
 * version. Keeps at most `RULE_VERSIONS` versions.
 */
export async function changeRule(
  sql: Sql,
  destinationKey: number,
  filter: RuleSource | null,
  { at, by }: ChangeStamp,
): Promise<number> {
  const rule = { destinationKey, filter, changedAt: at, changedBy: by };
  const [row] = await sql.rows<{ version: number }>(
    `WITH changed AS (
       UPDATE destinations SET rule_version = rule_version + 1 WHERE key = $1
       RETURNING rule_version
     )
     INSERT INTO destination_rules (${NEW_RULE.names}, version)
     SELECT ${NEW_RULE.of('v')}, rule_version FROM changed, ${NEW_RULE.unnest('v', 2)}
     RETURNING version`,
    [destinationKey, ...NEW_RULE.arrays([storableRow(rule)])],
  );
  const { version } = row as { version: number };
  await sql.run('DELETE FROM destination_rules WHERE destination_key = $1 AND version <= $2', [
    destinationKey,
    version - RULE_VERSIONS,
  ]);
  return version;
}

/** Returns the versions of a destination's filter, newest first. */
export function ruleVersions(db: Sql, destinationKey: number): Promise<RuleVersion[]> {
  return db.rows(
    `SELECT ${RULE_VERSION.read('r')}
     FROM destination_rules r WHERE r.destination_key = $1 ORDER BY r.version DESC`,
    [destinationKey],
  );
}

/** Returns the current filters and orders of the endpoints' destinations. */
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
