import type { Database, Statement } from 'better-sqlite3';
import type { RuleSource } from '../../../core/rules/rule.ts';
import type { JudgingSettings } from '../../../core/rules/verdict.ts';
import type { ChangeStamp, RuleVersion } from '../../contract/destinations.ts';
import { DESTINATION_RULE, RULE_VERSION } from '../../shared/destinations/destination-rows.ts';
import { RULE_VERSIONS } from '../../shared/stored-settings.ts';

/** Whether a destination's filter or its order needs a verdict on each request. */
export const IS_JUDGED =
  "(settings ->> 'filter' IS NOT NULL OR settings ->> 'order_by' IS NOT NULL)";

/** The filters of destinations and their versions. All methods run in a transaction. */
export class DestinationRules {
  readonly #advance: Statement<[number], number>;
  readonly #insert: Statement<[unknown[]]>;
  readonly #versions: Statement<[number], RuleVersion>;
  readonly #forget: Statement<[number, number]>;
  readonly #present: Statement<[number], JudgingSettings['filters'][number]>;

  constructor(db: Database) {
    this.#advance = db
      .prepare<[number], number>(
        'UPDATE destinations SET rule_version = rule_version + 1 WHERE key = ? RETURNING rule_version',
      )
      .pluck();
    this.#insert = db.prepare(`
      INSERT INTO destination_rules (${DESTINATION_RULE.names}) VALUES (${DESTINATION_RULE.marks})`);
    this.#versions = db.prepare(`
      SELECT ${RULE_VERSION.read('r')}
      FROM destination_rules r WHERE r.destination_key = ? ORDER BY r.version DESC`);
    this.#forget = db.prepare(
      'DELETE FROM destination_rules WHERE destination_key = ? AND version <= ?',
    );
    this.#present = db.prepare(`
      SELECT key AS destinationKey, rule_version AS ruleVersion, settings ->> 'filter' AS filter,
        settings ->> 'order_by' AS orderBy
      FROM destinations
      WHERE endpoint_key = ? AND removed_at IS NULL AND ${IS_JUDGED} ORDER BY key`);
  }

  /** Adds a version of a destination's filter. Deletes versions beyond the limit. */
  change(destinationKey: number, filter: RuleSource | null, { at, by }: ChangeStamp): void {
    const version = this.#advance.get(destinationKey) as number;
    const rule = { destinationKey, version, filter, changedAt: at, changedBy: by };
    this.#insert.run(DESTINATION_RULE.values(rule));
    this.#forget.run(destinationKey, version - RULE_VERSIONS);
  }

  versions(destinationKey: number): RuleVersion[] {
    return this.#versions.all(destinationKey);
  }

  filtersOf(endpointKey: number): JudgingSettings['filters'] {
    return this.#present.all(endpointKey);
  }
}
