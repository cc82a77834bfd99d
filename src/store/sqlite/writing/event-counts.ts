import type { Database, Statement } from 'better-sqlite3';
import { statusCode } from '../../shared/codes.ts';
import type { CountChanges } from '../../shared/count-changes.ts';

/** Counts of events by endpoint and status, exact at every commit. */
export class EventCounts {
  readonly #add: Statement<[number, number, number]>;

  constructor(db: Database) {
    this.#add = db.prepare(`
      INSERT INTO event_counts (endpoint_key, status, count) VALUES (?, ?, ?)
      ON CONFLICT (endpoint_key, status) DO UPDATE SET count = count + excluded.count`);
  }

  apply(changes: CountChanges): void {
    for (const [endpointKey, counts] of changes.byEndpoint) {
      for (const [status, change] of counts) {
        if (change !== 0) this.#add.run(endpointKey, statusCode(status), change);
      }
    }
  }
}
