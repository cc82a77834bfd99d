import type { EventSummary } from '../../../core/model.ts';
import { statusOf, unjudgedOf } from '../../shared/codes.ts';
import { type OutcomeColumn, outcomeOf } from '../../shared/events/stored-outcome.ts';
import { type ProofColumns, verificationOf } from '../../shared/events/stored-proof.ts';
import { OPEN_OF_EVENT } from '../deliveries/delivery-rows.ts';

/** The code of the earliest answer stands in the last three digits of the least sum. */
const OUTCOME = `
  (SELECT json_build_array(
      max(CASE WHEN a.probe THEN 0 ELSE a.number END),
      min(a.attempted_at + a.duration_ms) FILTER (WHERE a.response_code BETWEEN 200 AND 299),
      min(a.attempted_at * 1000 + a.response_code) % 1000)
    FROM attempts a WHERE a.event_seq = e.seq) AS outcome`;

/** Columns of `events e`. */
export const SUMMARY_COLUMNS = `
  e.seq, e.id, (SELECT id FROM endpoints WHERE key = e.endpoint_key) AS "endpointId", e.status,
  e.method, e.path, e.content_type AS "contentType", e.size, e.provider,
  e.event_type AS "eventType", e.source_ip AS "sourceIp", e.received_at AS "receivedAt",
  e.edited_from AS "editedFrom", e.verification, e.proof, e.duplicate_of AS "duplicateOf",
  coalesce(e.duplicate_conflict, false) AS "isConflicting", e.unjudged,
  (SELECT coalesce(sum(v.attempts), 0)::integer FROM deliveries v
    WHERE v.endpoint_key = e.endpoint_key AND v.event_seq = e.seq
      AND v.round >= coalesce(e.counted_from, e.round))
  -- Open deliveries without a failed attempt have none. Those to one-off URLs don't count.
  + CASE WHEN (e.open > 0 AND e.failed > 0) OR e.counted_from IS NOT NULL THEN
      (SELECT coalesce(sum(attempts), 0)::integer FROM ${OPEN_OF_EVENT}
        WHERE round >= coalesce(e.counted_from, e.round)) ELSE 0 END AS attempts,
  ${OUTCOME}`;

export interface SummaryRow
  extends Omit<EventSummary, 'status' | 'verification' | 'unjudged' | 'outcome'>,
    ProofColumns {
  status: number;
  unjudged: number | null;
  outcome: OutcomeColumn;
}

export function summaryOf({ proof, ...row }: SummaryRow): EventSummary {
  const verification = verificationOf({ verification: row.verification, proof });
  return {
    ...row,
    status: statusOf(row.status),
    verification,
    unjudged: unjudgedOf(row.unjudged),
    outcome: outcomeOf(row.outcome),
  };
}
