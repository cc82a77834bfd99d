import type { Database, Statement } from 'better-sqlite3';
import { statusCode } from '../../shared/codes.ts';
import type { CountChanges } from '../../shared/events/count-changes.ts';
import { EVENT_COUNT } from '../../shared/events/event-columns.ts';

/** Counts events by endpoint and status. The counts are exact after every commit. */
export class EventCounts {
  readonly #add: Statement<unknown[]>;

  constructor(db: Database) {
    this.#add = db.prepare(`
      INSERT INTO event_counts (${EVENT_COUNT.names}) VALUES (${EVENT_COUNT.marks})
      ON CONFLICT (endpoint_key, status) DO UPDATE SET count = count + excluded.count`);
  }

  apply(changes: CountChanges): void {
    for (const [endpointKey, counts] of changes.byEndpoint) {
      for (const [status, count] of counts) {
        if (count === 0) continue;
        this.#add.run(...EVENT_COUNT.values({ endpointKey, status: statusCode(status), count }));
      }
    }
  }
}
