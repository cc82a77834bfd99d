import type { EventSummary } from '../../../core/model.ts';
import { statusOf, unjudgedOf } from '../../shared/codes.ts';
import { outcomeOf } from '../../shared/events/stored-outcome.ts';
import { type ProofColumns, verificationOf } from '../../shared/events/stored-proof.ts';

/** The code of the earliest answer stands in the last three digits of the least sum. */
const OUTCOME = `
  (SELECT json_array(
      max(CASE a.probe WHEN 0 THEN a.number ELSE 0 END),
      min(CASE WHEN a.response_code BETWEEN 200 AND 299 THEN a.attempted_at + a.duration_ms END),
      min(a.attempted_at * 1000 + a.response_code) % 1000)
    FROM attempts a WHERE a.event_seq = e.seq) AS outcome`;

/** Columns of `events e`. */
export const SUMMARY_COLUMNS = `
  e.seq, e.id, (SELECT id FROM endpoints WHERE key = e.endpoint_key) AS endpointId, e.status, e.method, e.path, e.content_type AS contentType,
  e.size, e.provider, e.event_type AS eventType, e.source_ip AS sourceIp,
  e.received_at AS receivedAt, e.edited_from AS editedFrom, e.verification, e.proof,
  e.duplicate_of AS duplicateOf, e.duplicate_conflict AS isConflicting, e.unjudged,
  (SELECT coalesce(sum(v.attempts), 0) FROM deliveries v
    WHERE v.endpoint_key = e.endpoint_key AND v.event_seq = e.seq AND v.round >= coalesce(e.counted_from, e.round))
  + CASE WHEN e.open = 0 AND e.counted_from IS NULL THEN 0 ELSE
    (SELECT coalesce(sum(o.attempts), 0)
      FROM destinations d CROSS JOIN open_deliveries o
        ON o.destination_key = d.key AND o.event_seq = e.seq
          AND o.round >= coalesce(e.counted_from, e.round)
      WHERE d.endpoint_key = e.endpoint_key) END AS attempts,
  ${OUTCOME}`;

export interface SummaryRow
  extends Omit<EventSummary, 'status' | 'verification' | 'isConflicting' | 'unjudged' | 'outcome'>,
    ProofColumns {
  status: number;
  isConflicting: number | null;
  unjudged: number | null;
  /** JSON. */
  outcome: string;
}

export function summaryOf(row: SummaryRow): EventSummary {
  const { proof, verification, ...rest } = row;
  return {
    ...rest,
    status: statusOf(row.status),
    verification: verificationOf({ verification, proof }),
    isConflicting: row.isConflicting === 1,
    unjudged: unjudgedOf(row.unjudged),
    outcome: outcomeOf(JSON.parse(row.outcome)),
  };
}
