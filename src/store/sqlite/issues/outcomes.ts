import type { Database } from 'better-sqlite3';
import { OUTCOMES } from '../../../core/issues/issue.ts';
import { VERIFICATION_STATE, type VerificationState } from '../../../core/proof/verification.ts';
import type { SourceOutcomes } from '../../contract/issues.ts';
import { newestOutcomes, PASSED_STATES } from '../../shared/issues/newest-outcomes.ts';

/** How many endpoints are read between two yields. */
const SLICE_ENDPOINTS = 20;

type Found = SourceOutcomes['outcomes'][number];

/** See `IssueStore.outcomes`. */
export function* readOutcomes(
  db: Database,
  afterKey: number,
  limit: number,
): Generator<void, SourceOutcomes[]> {
  const endpoints = db
    .prepare<[number, number], { endpointKey: number; userId: string }>(`
      SELECT key AS endpointKey, user_id AS userId FROM endpoints INDEXED BY endpoints_verifying
      WHERE source IS NOT NULL AND key > ? AND deleted_at IS NULL ORDER BY key LIMIT ?`)
    .all(afterKey, limit);
  // Reads one more than a list of outcomes has. That one shows whether an earlier event passed.
  const judged = db.prepare<[number, number], { at: number; eventId: string }>(`
    SELECT received_at AS at, id AS eventId FROM events INDEXED BY events_by_verification
    WHERE endpoint_key = ? AND verification = ? ORDER BY seq DESC LIMIT ${OUTCOMES + 1}`);
  const rejected = db
    .prepare<[number], number>(`
      SELECT received_at FROM rejected_requests
      WHERE endpoint_key = ? ORDER BY received_at DESC LIMIT ${OUTCOMES}`)
    .pluck();
  const inState = (key: number, state: VerificationState, passed: boolean) =>
    judged.all(key, VERIFICATION_STATE.code(state)).map((row): Found => ({ ...row, passed }));
  const found: SourceOutcomes[] = [];
  for (const [i, endpoint] of endpoints.entries()) {
    if (i > 0 && i % SLICE_ENDPOINTS === 0) yield;
    const key = endpoint.endpointKey;
    const passed = PASSED_STATES.flatMap((state) => inState(key, state, true));
    const failed = inState(key, 'failed', false);
    const refused = rejected.all(key).map((at): Found => ({ at, passed: false, eventId: null }));
    found.push({ ...endpoint, ...newestOutcomes([...passed, ...failed, ...refused]) });
  }
  return found;
}
