import type { Database, Statement } from 'better-sqlite3';
import { issueStateCode } from '../../../shared/issues/issue-codes.ts';

const OF_DESTINATION = 'destination_key = ? AND destination_key <> 0';
const OF_ENDPOINT = 'endpoint_key = ?';

/**
 * Ends the issues of what is removed. Nobody hears of it. They get a new version or go, so
 * that a fold whose facts are older is refused. All methods run inside the writer's
 * transaction.
 */
export class IssueEnds {
  readonly #ofDestination: Statement<[number]>[];
  readonly #ofEndpoint: Statement<[number]>[];

  constructor(db: Database) {
    const endings = (own: string) => [
      // Nobody has seen these: resolved, they would appear.
      db.prepare<[number]>(
        `DELETE FROM issues WHERE ${own} AND state = ${issueStateCode('forming')}`,
      ),
      db.prepare<[number]>(
        `UPDATE issues SET state = ${issueStateCode('resolved')}, tell_at = NULL,
           version = version + 1 WHERE ${own}`,
      ),
    ];
    this.#ofDestination = endings(OF_DESTINATION);
    this.#ofEndpoint = endings(OF_ENDPOINT);
  }

  ofDestination(key: number): void {
    for (const ending of this.#ofDestination) ending.run(key);
  }

  ofEndpoint(key: number): void {
    for (const ending of this.#ofEndpoint) ending.run(key);
  }
}
