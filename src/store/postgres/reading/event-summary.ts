import type { EventSummary } from '../../../core/model.ts';
import { statusOf } from '../../shared/codes.ts';
import { type ProofColumns, verificationOf } from '../../shared/proof/stored-proof.ts';
import { OPEN_OF_EVENT } from './delivery-rows.ts';

/** Columns of `events e`. */
export const SUMMARY_COLUMNS = `
  e.seq, e.id, (SELECT id FROM endpoints WHERE key = e.endpoint_key) AS "endpointId", e.status,
  e.method, e.path, e.content_type AS "contentType", e.size, e.provider,
  e.event_type AS "eventType", e.source_ip AS "sourceIp", e.received_at AS "receivedAt",
  e.edited_from AS "editedFrom", e.verification, e.proof, e.duplicate_of AS "duplicateOf",
  coalesce(e.duplicate_conflict, false) AS "isConflicting",
  (SELECT coalesce(sum(v.attempts), 0)::integer FROM deliveries v
    WHERE v.endpoint_key = e.endpoint_key AND v.event_seq = e.seq
      AND v.round >= coalesce(e.counted_from, e.round))
  -- Open deliveries without a failed attempt have none. Those to one-off URLs don't count.
  + CASE WHEN (e.open > 0 AND e.failed > 0) OR e.counted_from IS NOT NULL THEN
      (SELECT coalesce(sum(attempts), 0)::integer FROM ${OPEN_OF_EVENT}
        WHERE round >= coalesce(e.counted_from, e.round)) ELSE 0 END AS attempts`;

export interface SummaryRow extends Omit<EventSummary, 'status' | 'verification'>, ProofColumns {
  status: number;
}

export function summaryOf({ proof, ...row }: SummaryRow): EventSummary {
  const verification = verificationOf({ verification: row.verification, proof });
  return { ...row, status: statusOf(row.status), verification };
}
