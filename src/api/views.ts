import type {
  Attempt,
  Delivery,
  EventSummary,
  ListedDelivery,
  RejectedRequest,
} from '../core/model.ts';
import type { Verification } from '../core/proof/verification.ts';
import type { ReplayJob } from '../store/contract/replays.ts';
import type { Attempt as AttemptAnswer } from './deliveries/attempt-answer.ts';
import type {
  Delivery as DeliveryAnswer,
  ListedDelivery as ListedDeliveryAnswer,
  Unjudged,
} from './deliveries/delivery-answer.ts';
import type { EventSummary as EventSummaryAnswer } from './events/event-answer.ts';
import type { RejectedRequest as RejectedRequestAnswer } from './events/rejected-request-answer.ts';
import type { ReplayJob as ReplayJobAnswer } from './replays/replay-answer.ts';

/* Views of the API: the contract's field names, ISO 8601 times, no row numbers. */

export const isoTime = (ms: number): string => new Date(ms).toISOString();
export const isoTimeOrNull = (ms: number | null): string | null =>
  ms === null ? null : isoTime(ms);

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
  };
}

function unjudgedView({ unjudged }: Pick<EventSummary, 'unjudged'>): Unjudged | null {
  return unjudged && { reason: unjudged };
}

/** A clock that was set back makes no latency less than none. */
function latencyOf({ receivedAt, outcome }: EventSummary): number | null {
  const succeededAt = outcome?.succeededAt ?? null;
  return succeededAt === null ? null : Math.max(0, succeededAt - receivedAt);
}

/** An edited copy is nobody's request, also where the endpoint verifies none. */
function verificationOf({ verification, editedFrom }: EventSummary): Verification {
  const isUnexplained = verification.state === 'unverified' && verification.reason === null;
  return editedFrom !== null && isUnexplained
    ? { ...verification, reason: 'edited' }
    : verification;
}

export function attemptView(attempt: Attempt): AttemptAnswer {
  return {
    id: attempt.id,
    attempt: attempt.number,
    probe: attempt.probe,
    rule_version: attempt.ruleVersion,
    request_headers: attempt.requestHeaders,
    response_code: attempt.responseCode,
    response_headers: attempt.responseHeaders,
    response_body: attempt.responseBody,
    response_truncated: attempt.responseTruncated,
    attempted_at: isoTime(attempt.attemptedAt),
    duration_ms: attempt.durationMs,
    error: attempt.error,
    next_attempt_at: isoTimeOrNull(attempt.nextAttemptAt),
    trigger: attempt.trigger,
    delivery_id: attempt.deliveryId,
    destination_id: attempt.destinationId,
    destination_url: attempt.destinationUrl,
    destination_health: attempt.health,
  };
}

export function deliveryView(delivery: Delivery): DeliveryAnswer {
  return {
    id: delivery.id,
    destination_id: delivery.destinationId,
    destination_url: delivery.destinationUrl,
    trigger: delivery.trigger,
    state: delivery.state,
    attempts: delivery.attempts,
    next_attempt_at: isoTimeOrNull(delivery.nextAttemptAt),
    waits_for: delivery.waitsFor,
    unjudged: unjudgedView(delivery),
  };
}

export function listedDeliveryView(delivery: ListedDelivery): ListedDeliveryAnswer {
  return {
    id: delivery.id,
    event_id: delivery.eventId,
    destination_id: delivery.destinationId,
    destination_url: delivery.destinationUrl,
    state: delivery.state,
    attempts: delivery.attempts,
    error: delivery.error,
    created_at: isoTime(delivery.createdAt),
    next_attempt_at: isoTimeOrNull(delivery.nextAttemptAt),
    waits_for: delivery.waitsFor,
    unjudged: unjudgedView(delivery),
  };
}

export function replayJobView(job: ReplayJob): ReplayJobAnswer {
  return {
    id: job.id,
    state: job.state,
    matching: job.matching,
    queued: job.queued,
    delivered: job.delivered,
    dead: job.dead,
    created_at: isoTime(job.createdAt),
  };
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
