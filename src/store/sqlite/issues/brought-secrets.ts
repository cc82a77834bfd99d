import type { Database } from 'better-sqlite3';
import type { BroughtSeen } from '../../../core/issues/brought-secret.ts';

/** See `IssueStore.broughtSecrets`. */
export function readBroughtSecrets(db: Database, afterKey: number, limit: number): BroughtSeen[] {
  return db
    .prepare<[number, number], BroughtSeen>(`
      SELECT key AS endpointKey, user_id AS userId, source ->> '$.brought.at' AS at,
        source ->> '$.brought.eventId' AS eventId
      FROM endpoints INDEXED BY endpoints_verifying
      WHERE source IS NOT NULL AND key > ? AND deleted_at IS NULL
        AND source -> '$.brought' IS NOT NULL
      ORDER BY key LIMIT ?`)
    .all(afterKey, limit);
}
