import type { EventSummary, HeldBy, RejectedRequest } from '../../core/model.ts';
import type { Verification } from '../../core/proof/verification.ts';
import { unjudgedView } from '../deliveries/delivery-view.ts';
import { isoTime } from '../iso-time.ts';
import type { EventSummaryAnswer } from './event-answer.ts';
import type { RejectedRequestAnswer } from './rejected-request-answer.ts';

export function eventListItem(event: EventSummary) {
  return {
    id: event.id,
    status: event.status,
    method: event.method,
    received_at: isoTime(event.receivedAt),
  };
}

export function eventSummaryView(event: EventSummary): EventSummaryAnswer {
  return {
    ...eventListItem(event),
    endpoint_id: event.endpointId,
    path: event.path,
    content_type: event.contentType,
    size: event.size,
    provider: event.provider,
    event_type: event.eventType,
    source_ip: event.sourceIp,
    attempts: event.attempts,
    response_code: event.outcome?.responseCode ?? null,
    latency_ms: latencyOf(event),
    retries: event.outcome?.retries ?? 0,
    edited_from: event.editedFrom,
    verification: verificationOf(event),
    duplicate_of: event.duplicateOf,
    duplicate_conflict: event.duplicateOf === null ? null : event.isConflicting,
    unjudged: unjudgedView(event),
    delivery_counts: event.deliveryCounts,
    held_by: heldByView(event.heldBy),
  };
}

function heldByView(heldBy: HeldBy | null): EventSummaryAnswer['held_by'] {
  if (!heldBy) return null;
  const { destinationId, name, reason } = heldBy;
  return { destination_id: destinationId, name, waits_for: reason };
}

export function rejectedView(rejected: RejectedRequest): RejectedRequestAnswer {
  return {
    id: rejected.id,
    method: rejected.method,
    received_at: isoTime(rejected.receivedAt),
    path: rejected.path,
    content_type: rejected.contentType,
    size: rejected.size,
    provider: rejected.provider,
    event_type: rejected.eventType,
    source_ip: rejected.sourceIp,
    verification: rejected.verification,
  };
}

/** Returns ms; null without a success. Never negative, even if the clock was set back. */
function latencyOf({ receivedAt, outcome }: EventSummary): number | null {
  const succeededAt = outcome?.succeededAt ?? null;
  return succeededAt === null ? null : Math.max(0, succeededAt - receivedAt);
}

/** Gives an edited copy the reason `edited`, because no sender made the copy. */
function verificationOf({ verification, editedFrom }: EventSummary): Verification {
  const isUnexplained = verification.state === 'unverified' && verification.reason === null;
  return editedFrom !== null && isUnexplained
    ? { ...verification, reason: 'edited' }
    : verification;
}
