import type { Database, Statement } from 'better-sqlite3';
import { issueStateCode } from '../../shared/issues/issue-codes.ts';

const RESOLVED = issueStateCode('resolved');
const OF_DESTINATION = 'destination_key = @key AND destination_key <> 0';
const OF_ENDPOINT = 'endpoint_key = @key';

interface EndValues {
  key: number;
  now: number;
}

/**
 * Ends the issues of removed endpoints and destinations without notifying anybody. Each issue gets
 * a new version or is deleted, so that the store refuses folds of older facts. All methods run in
 * the writer's transaction.
 */
export class IssueEnds {
  readonly #ofDestination: Statement<[EndValues]>[];
  readonly #ofEndpoint: Statement<[EndValues]>[];

  constructor(db: Database) {
    const endings = (own: string) => [
      // Nobody has seen a forming issue. People would see it if it were resolved.
      db.prepare<[EndValues]>(
        `DELETE FROM issues WHERE ${own} AND state = ${issueStateCode('forming')}`,
      ),
      db.prepare<[EndValues]>(
        `UPDATE issues SET state = ${RESOLVED}, tell_at = NULL, version = version + 1,
           last_at = iif(state = ${RESOLVED}, last_at, max(last_at, @now)) WHERE ${own}`,
      ),
    ];
    this.#ofDestination = endings(OF_DESTINATION);
    this.#ofEndpoint = endings(OF_ENDPOINT);
  }

  ofDestination(key: number, now: number): void {
    for (const ending of this.#ofDestination) ending.run({ key, now });
  }

  ofEndpoint(key: number, now: number): void {
    for (const ending of this.#ofEndpoint) ending.run({ key, now });
  }
}
