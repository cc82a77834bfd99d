import type { Database, Statement } from 'better-sqlite3';
import type { RejectedRequest } from '../../../core/model.ts';
import type { EventContent } from '../../contract/events.ts';
import { type ContentRow, contentOf } from '../../shared/events/event-content.ts';
import type { Writes } from '../reader-thread/reads.ts';
import { REJECTED_COLUMNS, type RejectedRow, rejectedOf } from './rejected-rows.ts';

type RejectedContentRow = RejectedRow & ContentRow;

export class SqliteRejected implements Writes<'rejected'> {
  readonly #find: Statement<[string, number], RejectedContentRow>;

  constructor(db: Database) {
    this.#find = db.prepare(`
      SELECT ${REJECTED_COLUMNS}, r.query, r.headers, r.body FROM rejected_requests r
      WHERE r.id = ? AND r.endpoint_key = ? AND EXISTS (
        SELECT 1 FROM endpoints p WHERE p.key = r.endpoint_key AND p.deleted_at IS NULL)`);
  }

  async find(
    endpointKey: number,
    id: string,
  ): Promise<{ rejected: RejectedRequest; content: EventContent } | null> {
    const row = this.#find.get(id, endpointKey);
    if (!row) return null;
    const { query, headers, body, ...rest } = row;
    return { rejected: rejectedOf(rest), content: contentOf({ query, headers, body }) };
  }
}
