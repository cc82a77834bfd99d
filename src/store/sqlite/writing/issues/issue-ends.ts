import type { Database, Statement } from 'better-sqlite3';
import { issueStateCode } from '../../../shared/issues/issue-codes.ts';

/**
 * Ends the issues of what is removed. Nobody hears of it. All of them get a new version,
 * so that a fold whose facts are older is refused. All methods run inside the writer's
 * transaction.
 */
export class IssueEnds {
  readonly #ofDestination: Statement<[number]>;
  readonly #ofEndpoint: Statement<[number]>;

  constructor(db: Database) {
    const end = `UPDATE issues SET state = ${issueStateCode('resolved')}, tell_at = NULL,
      version = version + 1`;
    this.#ofDestination = db.prepare(`${end} WHERE destination_key = ? AND destination_key <> 0`);
    this.#ofEndpoint = db.prepare(`${end} WHERE endpoint_key = ?`);
  }

  ofDestination(key: number): void {
    this.#ofDestination.run(key);
  }

  ofEndpoint(key: number): void {
    this.#ofEndpoint.run(key);
  }
}
