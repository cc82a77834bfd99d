import type { Attempt, Delivery, EventSummary, ListedDelivery } from '../../core/model.ts';
import { isoTime, isoTimeOrNull } from '../iso-time.ts';
import type { AttemptAnswer } from './attempt-answer.ts';
import type { DeliveryAnswer, ListedDeliveryAnswer, UnjudgedAnswer } from './delivery-answer.ts';

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

export function unjudgedView({ unjudged }: Pick<EventSummary, 'unjudged'>): UnjudgedAnswer | null {
  return unjudged && { reason: unjudged };
}
