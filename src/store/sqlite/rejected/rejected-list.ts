import type { Database } from 'better-sqlite3';
import type { RejectedPage, RejectedWindow } from '../../contract/rejected.ts';
import {
  REJECTED_COLUMNS,
  type RejectedRow,
  rejectedOf,
} from '../../shared/rejected/rejected-rows.ts';

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
