import type { Database } from 'better-sqlite3';
import type { ReaderRequest } from './reader-messages.ts';

/** The account that a read which looks into events is charged to. Null for other reads. */
export function accountOfRead(db: Database, request: ReaderRequest): string | null {
  switch (request.op) {
    case 'page':
      return 'userId' in request.scope
        ? request.scope.userId
        : ownerOf(db, 'key', request.scope.endpointKeys[0]);
    case 'count':
    case 'matching':
    case 'judge':
    case 'tryRules':
      return ownerOf(db, 'key', request.endpointKey);
    case 'look':
      return ownerOf(db, 'event', request.seqs[0]);
    default:
      return null;
  }
}

const OWNER = {
  key: 'SELECT user_id FROM endpoints WHERE key = ?',
  event: `SELECT p.user_id FROM event_contents c JOIN endpoints p ON p.key = c.endpoint_key
    WHERE c.seq = ?`,
};

function ownerOf(db: Database, by: keyof typeof OWNER, value: number | undefined): string | null {
  return (
    db
      .prepare<unknown[], string>(OWNER[by])
      .pluck()
      .get(value ?? null) ?? null
  );
}
