import type { Database } from 'better-sqlite3';
import { VERIFICATION_STATE } from '../../../core/proof/verification.ts';
import type { FactPage, FailureCursor, FailureFact } from '../../contract/issues.ts';

/** Only endpoints with a source have failures. An index has the failures of each endpoint. */
const FAILURES = `
  SELECT e.seq, p.key AS endpointKey, p.user_id AS userId, e.id AS eventId, e.received_at AS at
  FROM endpoints p INDEXED BY endpoints_verifying
  CROSS JOIN events e INDEXED BY events_by_verification
  WHERE p.source IS NOT NULL AND p.deleted_at IS NULL AND e.endpoint_key = p.key
    AND e.verification = ${VERIFICATION_STATE.code('failed')} AND e.seq > ?
  ORDER BY e.seq LIMIT ?`;

const REJECTIONS = `
  SELECT r.seq, r.endpoint_key AS endpointKey, p.user_id AS userId, NULL AS eventId,
    r.received_at AS at
  FROM rejected_requests r JOIN endpoints p ON p.key = r.endpoint_key AND p.deleted_at IS NULL
  WHERE r.seq > ? ORDER BY r.seq LIMIT ?`;

const FACTS: Readonly<Record<FailureCursor, string>> = {
  failures: FAILURES,
  rejections: REJECTIONS,
};

/** See `IssueStore.failureFacts`. */
export function readFailureFacts(
  db: Database,
  of: FailureCursor,
  after: number,
  limit: number,
): FactPage<FailureFact> {
  const facts = db.prepare<[number, number], FailureFact>(FACTS[of]).all(after, limit);
  return { facts, scannedTo: facts.at(-1)?.seq ?? after };
}
