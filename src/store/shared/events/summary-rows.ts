import type { EventOutcome, EventSummary } from '../../../core/model.ts';
import { statusOf, unjudgedOf } from '../codes.ts';
import { type DeliveryColumns, summaryDeliveries } from './event-deliveries.ts';
import { type ProofColumns, verificationOf } from './stored-proof.ts';

/** Columns of `events e` for a `SummaryRow`, without its attempts and deliveries. */
export const STORED_SUMMARY = `
  e.seq, e.id, (SELECT id FROM endpoints WHERE key = e.endpoint_key) AS "endpointId", e.status,
  e.method, e.path, e.content_type AS "contentType", e.size, e.provider,
  e.event_type AS "eventType", e.source_ip AS "sourceIp", e.received_at AS "receivedAt",
  e.edited_from AS "editedFrom", e.verification, e.proof, e.duplicate_of AS "duplicateOf",
  e.duplicate_conflict AS "isConflicting", e.unjudged,
  (SELECT f.dropped FROM filtered_events f
    WHERE f.endpoint_key = e.endpoint_key AND f.event_seq = e.seq) AS dropped`;

/** The columns that describe an event's attempts. A column is null without such an attempt. */
type OutcomeColumn = [
  tries: number | null,
  succeededAt: number | null,
  responseCode: number | null,
];

export interface SummaryRow
  extends Omit<
      EventSummary,
      | 'status'
      | 'verification'
      | 'isConflicting'
      | 'unjudged'
      | 'outcome'
      | 'attempts'
      | 'deliveryCounts'
      | 'heldBy'
    >,
    ProofColumns,
    DeliveryColumns {
  status: number;
  /** SQLite reads 0 or 1. */
  isConflicting: boolean | number | null;
  unjudged: number | null;
  /** SQLite reads the JSON as text. */
  outcome: OutcomeColumn | string;
}

export function summaryOf({ proof, settled, open, dropped, ...row }: SummaryRow): EventSummary {
  const { verification, outcome } = row;
  return {
    ...row,
    ...summaryDeliveries({ settled, open, dropped }),
    status: statusOf(row.status),
    verification: verificationOf({ verification, proof }),
    isConflicting: Boolean(row.isConflicting),
    unjudged: unjudgedOf(row.unjudged),
    outcome: outcomeOf(typeof outcome === 'string' ? JSON.parse(outcome) : outcome),
  };
}

function outcomeOf([tries, succeededAt, responseCode]: OutcomeColumn): EventOutcome | null {
  return tries === null ? null : { responseCode, succeededAt, retries: Math.max(0, tries - 1) };
}
