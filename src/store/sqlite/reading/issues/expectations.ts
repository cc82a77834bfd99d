import type { Database } from 'better-sqlite3';
import type { Expectation } from '../../../contract/issues.ts';

/** Endpoints between two yields. */
const SLICE_ENDPOINTS = 50;

/** See `IssueStore.expectations`. */
export function* expectations(
  db: Database,
  afterKey: number,
  limit: number,
): Generator<void, Expectation[]> {
  const endpoints = db
    .prepare<[number, number], Omit<Expectation, 'lastEvent'>>(`
      SELECT key AS endpointKey, user_id AS userId, expect_every_ms AS expectEveryMs,
        coalesce(expected_since, created_at) AS expectedSince
      FROM endpoints INDEXED BY endpoints_expecting
      WHERE expect_every_ms IS NOT NULL AND key > ? AND deleted_at IS NULL ORDER BY key LIMIT ?`)
    .all(afterKey, limit);
  const newest = db.prepare<[number], NonNullable<Expectation['lastEvent']>>(`
    SELECT id, received_at AS receivedAt FROM events INDEXED BY events_by_time
    WHERE endpoint_key = ? ORDER BY received_at DESC, seq DESC LIMIT 1`);
  const found: Expectation[] = [];
  for (const [i, endpoint] of endpoints.entries()) {
    if (i > 0 && i % SLICE_ENDPOINTS === 0) yield;
    found.push({ ...endpoint, lastEvent: newest.get(endpoint.endpointKey) ?? null });
  }
  return found;
}
