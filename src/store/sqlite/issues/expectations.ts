import type { Database } from 'better-sqlite3';
import type { Expectation } from '../../contract/issues.ts';

/** How many endpoints are read between two yields. */
const SLICE_ENDPOINTS = 50;

type ExpectingRow = Omit<Expectation, 'lastEvent'>;

const EXPECTING = `
  SELECT key AS endpointKey, user_id AS userId, expect_every_ms AS expectEveryMs,
    coalesce(expected_since, created_at) AS expectedSince`;

/** See `IssueStore.expectations`. */
export function* readExpectations(
  db: Database,
  afterKey: number,
  limit: number,
): Generator<void, Expectation[]> {
  const endpoints = db
    .prepare<[number, number], ExpectingRow>(`${EXPECTING}
      FROM endpoints INDEXED BY endpoints_expecting
      WHERE expect_every_ms IS NOT NULL AND key > ? AND deleted_at IS NULL ORDER BY key LIMIT ?`)
    .all(afterKey, limit);
  const withEvent = eventReader(db);
  const found: Expectation[] = [];
  for (const [i, endpoint] of endpoints.entries()) {
    if (i > 0 && i % SLICE_ENDPOINTS === 0) yield;
    found.push(withEvent(endpoint));
  }
  return found;
}

/** See `IssueStore.expectationsOf`. */
export function readExpectationsOf(db: Database, endpointKeys: readonly number[]): Expectation[] {
  return db
    .prepare<[string], ExpectingRow>(`${EXPECTING}
      FROM endpoints WHERE key IN (SELECT value FROM json_each(?))
        AND expect_every_ms IS NOT NULL AND deleted_at IS NULL ORDER BY key`)
    .all(JSON.stringify(endpointKeys))
    .map(eventReader(db));
}

function eventReader(db: Database): (endpoint: ExpectingRow) => Expectation {
  const newest = db.prepare<[number], NonNullable<Expectation['lastEvent']>>(`
    SELECT id, received_at AS receivedAt FROM events INDEXED BY events_by_time
    WHERE endpoint_key = ? ORDER BY received_at DESC, seq DESC LIMIT 1`);
  return (endpoint) => ({ ...endpoint, lastEvent: newest.get(endpoint.endpointKey) ?? null });
}
