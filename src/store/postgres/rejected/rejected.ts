import type { RejectedRequest } from '../../../core/model.ts';
import type { EventContent } from '../../contract/events.ts';
import type { RejectedStore } from '../../contract/rejected.ts';
import { type ContentRow, contentOf } from '../../shared/events/event-content.ts';
import { rejectionOf } from '../../shared/events/stored-proof.ts';
import type { Database } from '../connection/database.ts';
import { storable } from '../connection/storable.ts';

interface RejectedRow extends Omit<RejectedRequest, 'verification'> {
  proof: string;
}

/** Columns of `rejected_requests r`. */
const COLUMNS = `r.id, r.method, r.path, r.content_type AS "contentType", octet_length(r.body) AS size, r.provider,
  r.event_type AS "eventType", r.source_ip AS "sourceIp", r.received_at AS "receivedAt", r.proof`;

const OF_ENDPOINT = `rejected_requests r JOIN endpoints p ON p.key = r.endpoint_key
  WHERE r.endpoint_key = $1 AND p.deleted_at IS NULL`;

export class PostgresRejected implements RejectedStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  list(
    endpointKey: number,
    { offset, limit }: { offset: number; limit: number },
  ): Promise<{ rejected: RejectedRequest[]; total: number }> {
    return this.#db.snapshot(async (sql) => {
      const [counted] = await sql.rows<{ total: number }>(
        `SELECT count(*) AS total FROM ${OF_ENDPOINT}`,
        [endpointKey],
      );
      const rows = await sql.rows<RejectedRow>(
        `SELECT ${COLUMNS} FROM ${OF_ENDPOINT} ORDER BY r.received_at DESC, r.seq DESC LIMIT $2 OFFSET $3`,
        [endpointKey, limit, offset],
      );
      return { rejected: rows.map(rejectedOf), total: counted?.total ?? 0 };
    });
  }

  async find(
    endpointKey: number,
    id: string,
  ): Promise<{ rejected: RejectedRequest; content: EventContent } | null> {
    const [row] = await this.#db.rows<RejectedRow & ContentRow>(
      `SELECT ${COLUMNS}, r.query, r.headers, r.body FROM ${OF_ENDPOINT} AND r.id = $2`,
      [endpointKey, storable(id)],
    );
    if (!row) return null;
    const { query, headers, body, ...rejected } = row;
    return { rejected: rejectedOf(rejected), content: contentOf({ query, headers, body }) };
  }
}

function rejectedOf({ proof, ...row }: RejectedRow): RejectedRequest {
  return { ...row, verification: rejectionOf(proof) };
}
