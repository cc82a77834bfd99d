import type { Database, Statement } from 'better-sqlite3';
import type { RejectedRequest } from '../../../../core/model.ts';
import type { EventContent } from '../../../contract/events.ts';
import type { RejectedStore } from '../../../contract/rejected.ts';
import { rejectionOf } from '../../../shared/proof/stored-proof.ts';

interface RejectedRow extends Omit<RejectedRequest, 'verification'> {
  proof: string;
}

interface ContentRow extends RejectedRow {
  query: string;
  headers: string;
  body: Buffer;
}

const REJECTED_COLUMNS = `
  r.id, r.method, r.path, r.content_type AS contentType, r.size, r.provider,
  r.event_type AS eventType, r.source_ip AS sourceIp, r.received_at AS receivedAt, r.proof`;

/** An endpoint has few of them, so that these reads don't delay captures. */
export class SqliteRejected implements RejectedStore {
  readonly #count: Statement<[number], number>;
  readonly #page: Statement<[number, number, number], RejectedRow>;
  readonly #find: Statement<[string, number], ContentRow>;

  constructor(db: Database) {
    const present =
      'EXISTS (SELECT 1 FROM endpoints p WHERE p.key = r.endpoint_key AND p.deleted_at IS NULL)';
    this.#count = db
      .prepare<[number], number>(
        `SELECT count(*) FROM rejected_requests r WHERE r.endpoint_key = ? AND ${present}`,
      )
      .pluck();
    this.#page = db.prepare(`
      SELECT ${REJECTED_COLUMNS} FROM rejected_requests r
      WHERE r.endpoint_key = ? AND ${present}
      ORDER BY r.received_at DESC, r.seq DESC LIMIT ? OFFSET ?`);
    this.#find = db.prepare(`
      SELECT ${REJECTED_COLUMNS}, r.query, r.headers, r.body FROM rejected_requests r
      WHERE r.id = ? AND r.endpoint_key = ? AND ${present}`);
  }

  async list(
    endpointKey: number,
    { offset, limit }: { offset: number; limit: number },
  ): Promise<{ rejected: RejectedRequest[]; total: number }> {
    const total = this.#count.get(endpointKey) ?? 0;
    return { rejected: this.#page.all(endpointKey, limit, offset).map(rejectedOf), total };
  }

  async find(
    endpointKey: number,
    id: string,
  ): Promise<{ rejected: RejectedRequest; content: EventContent } | null> {
    const row = this.#find.get(id, endpointKey);
    if (!row) return null;
    const { query, headers, body, ...rest } = row;
    const content = { query, rawHeaders: JSON.parse(headers) as string[], body };
    return { rejected: rejectedOf(rest), content };
  }
}

function rejectedOf({ proof, ...row }: RejectedRow): RejectedRequest {
  return { ...row, verification: rejectionOf(proof) };
}
