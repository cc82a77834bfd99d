import type { Database, Statement } from 'better-sqlite3';
import type { ContentRow } from '../../shared/events/event-content.ts';
import {
  REJECTED_COLUMNS,
  type RejectedRow,
  rejectedWithContent,
} from '../../shared/rejected/rejected-rows.ts';
import type { Writes } from '../reader-thread/reads.ts';

export class SqliteRejected implements Writes<'rejected'> {
  readonly #find: Statement<[string, number], RejectedRow & ContentRow>;

  constructor(db: Database) {
    this.#find = db.prepare(`
      SELECT ${REJECTED_COLUMNS}, r.query, r.headers, r.body FROM rejected_requests r
      WHERE r.id = ? AND r.endpoint_key = ? AND EXISTS (
        SELECT 1 FROM endpoints p WHERE p.key = r.endpoint_key AND p.deleted_at IS NULL)`);
  }

  async find(endpointKey: number, id: string) {
    const row = this.#find.get(id, endpointKey);
    return row ? rejectedWithContent(row) : null;
  }
}
