import type { RejectedPage, RejectedStore, RejectedWindow } from '../../contract/rejected.ts';
import type { ContentRow } from '../../shared/events/event-content.ts';
import {
  REJECTED_COLUMNS,
  type RejectedRow,
  rejectedOf,
  rejectedWithContent,
} from '../../shared/rejected/rejected-rows.ts';
import type { Database } from '../connection/database.ts';
import { storable } from '../connection/storable.ts';

const OF_ENDPOINT = `rejected_requests r JOIN endpoints p ON p.key = r.endpoint_key
  WHERE r.endpoint_key = $1 AND p.deleted_at IS NULL`;

export class PostgresRejected implements RejectedStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  list(endpointKey: number, { offset, limit }: RejectedWindow): Promise<RejectedPage> {
    return this.#db.snapshot(async (sql) => {
      const [counted] = await sql.rows<{ total: number }>(
        `SELECT count(*) AS total FROM ${OF_ENDPOINT}`,
        [endpointKey],
      );
      const rows = await sql.rows<RejectedRow>(
        `SELECT ${REJECTED_COLUMNS} FROM ${OF_ENDPOINT} ORDER BY r.received_at DESC, r.seq DESC LIMIT $2 OFFSET $3`,
        [endpointKey, limit, offset],
      );
      return { rejected: rows.map(rejectedOf), total: counted?.total ?? 0 };
    });
  }

  async find(endpointKey: number, id: string) {
    const [row] = await this.#db.rows<RejectedRow & ContentRow>(
      `SELECT ${REJECTED_COLUMNS}, r.query, r.headers, r.body FROM ${OF_ENDPOINT} AND r.id = $2`,
      [endpointKey, storable(id)],
    );
    return row ? rejectedWithContent(row) : null;
  }
}
