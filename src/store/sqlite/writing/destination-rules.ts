import type { Database, Statement } from 'better-sqlite3';
import type { RuleSource } from '../../../core/rules/rule.ts';
import type { EndpointFilters } from '../../../core/rules/verdict.ts';
import { RULE_VERSIONS } from '../../shared/rule-versions.ts';

/** The filters of destinations and their versions. All methods run inside a transaction. */
export class DestinationRules {
  readonly #advance: Statement<[number], number>;
  readonly #insert: Statement<[number, number, RuleSource | null, number]>;
  readonly #forget: Statement<[number, number]>;
  readonly #present: Statement<[number], EndpointFilters['filters'][number]>;

  constructor(db: Database) {
    this.#advance = db
      .prepare<[number], number>(
        'UPDATE destinations SET rule_version = rule_version + 1 WHERE key = ? RETURNING rule_version',
      )
      .pluck();
    this.#insert = db.prepare(`
      INSERT INTO destination_rules (destination_key, version, filter, changed_at)
      VALUES (?, ?, ?, ?)`);
    this.#forget = db.prepare(
      'DELETE FROM destination_rules WHERE destination_key = ? AND version <= ?',
    );
    this.#present = db.prepare(`
      SELECT key AS destinationKey, rule_version AS ruleVersion, settings ->> 'filter' AS filter
      FROM destinations
      WHERE endpoint_key = ? AND removed_at IS NULL AND settings ->> 'filter' IS NOT NULL
      ORDER BY key`);
  }

  /** Notes a new version of a destination's filter, and forgets the oldest beyond the limit. */
  change(destinationKey: number, filter: RuleSource | null, now: number): void {
    const version = this.#advance.get(destinationKey) as number;
    this.#insert.run(destinationKey, version, filter, now);
    this.#forget.run(destinationKey, version - RULE_VERSIONS);
  }

  filtersOf(endpointKey: number): EndpointFilters['filters'] {
    return this.#present.all(endpointKey);
  }
}
