import type { Database } from 'better-sqlite3';
import type { RejectedRequest } from '../../../core/model.ts';
import type { RejectedPage, RejectedWindow } from '../../contract/rejected.ts';
import { rejectionOf } from '../../shared/events/stored-proof.ts';

export interface RejectedRow extends Omit<RejectedRequest, 'verification'> {
  proof: string;
}

/** Columns of `rejected_requests r`. */
export const REJECTED_COLUMNS = `
  r.id, r.method, r.path, r.content_type AS contentType, length(r.body) AS size, r.provider,
  r.event_type AS eventType, r.source_ip AS sourceIp, r.received_at AS receivedAt, r.proof`;

/** See `RejectedStore.list`. */
export function listRejected(
  db: Database,
  endpointKey: number,
  { offset, limit }: RejectedWindow,
): RejectedPage {
  const total = db
    .prepare<[number], number>('SELECT count(*) FROM rejected_requests WHERE endpoint_key = ?')
    .pluck()
    .get(endpointKey) as number;
  const rows = db
    .prepare<[number, number, number], RejectedRow>(`
      SELECT ${REJECTED_COLUMNS} FROM rejected_requests r WHERE r.endpoint_key = ?
      ORDER BY r.received_at DESC, r.seq DESC LIMIT ? OFFSET ?`)
    .all(endpointKey, limit, offset);
  return { rejected: rows.map(rejectedOf), total };
}

export function rejectedOf({ proof, ...row }: RejectedRow): RejectedRequest {
  return { ...row, verification: rejectionOf(proof) };
}
