import type { Database } from 'better-sqlite3';
import type { Scope } from '../../contract/scope.ts';

/** These functions find the account that is charged for reading the contents of events. */

export function ownerOfScope(db: Database, scope: Scope): string | null {
  return 'userId' in scope ? scope.userId : ownerOfEndpoint(db, scope.endpointKeys[0]);
}

export function ownerOfEndpoint(db: Database, key: number | undefined): string | null {
  return owner(db, 'SELECT user_id FROM endpoints WHERE key = ?', key);
}

export function ownerOfEvents(db: Database, [seq]: readonly number[]): string | null {
  return owner(
    db,
    `SELECT p.user_id FROM event_contents c JOIN endpoints p ON p.key = c.endpoint_key
      WHERE c.seq = ?`,
    seq,
  );
}

function owner(db: Database, sql: string, value: number | undefined): string | null {
  return (
    db
      .prepare<unknown[], string>(sql)
      .pluck()
      .get(value ?? null) ?? null
  );
}
