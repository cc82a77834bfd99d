import type { Database, Statement } from 'better-sqlite3';
import type { EventStatus } from '../../core/model.ts';
import { statusCode } from './codes.ts';

/** Changes of `event_counts` within one operation, written once at its end. */
export class CountChanges {
  readonly byEndpoint = new Map<number, Map<EventStatus, number>>();

  add(endpointKey: number, status: EventStatus, change: number): void {
    let counts = this.byEndpoint.get(endpointKey);
    if (!counts) {
      counts = new Map();
      this.byEndpoint.set(endpointKey, counts);
    }
    counts.set(status, (counts.get(status) ?? 0) + change);
  }
}

/** Events per endpoint and status, exact at every commit. */
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
