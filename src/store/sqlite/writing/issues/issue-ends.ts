import type { Database, Statement } from 'better-sqlite3';
import { issueStateCode } from '../../../shared/issues/issue-codes.ts';

/**
 * Ends the issues of what is removed. Nobody hears of it. They get a new version or go, so
 * that a fold whose facts are older is refused. All methods run inside the writer's
 * transaction.
 */
export class IssueEnds {
  readonly #ofDestination: Statement<[number]>[];
  readonly #ofEndpoint: Statement<[number]>[];

  constructor(db: Database) {
    const ends = (own: string): Statement<[number]>[] => [
      // Nobody has seen these: resolved, they would appear.
      db.prepare(`DELETE FROM issues WHERE ${own} AND state = ${issueStateCode('forming')}`),
      db.prepare(`
        UPDATE issues SET state = ${issueStateCode('resolved')}, tell_at = NULL,
          version = version + 1
        WHERE ${own}`),
    ];
    this.#ofDestination = ends('destination_key = ? AND destination_key <> 0');
    this.#ofEndpoint = ends('endpoint_key = ?');
  }

  ofDestination(key: number): void {
    for (const statement of this.#ofDestination) statement.run(key);
  }

  ofEndpoint(key: number): void {
    for (const statement of this.#ofEndpoint) statement.run(key);
  }
}
