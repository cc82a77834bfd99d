import type { CapturedRequest } from '../../../core/http/captured-request.ts';
import type { EventSummary } from '../../../core/model.ts';
import { NOT_CHECKED } from '../../../core/proof/verification.ts';
import type { EndpointSettings } from '../../../core/settings/endpoint-settings.ts';
import type { SummaryDeliveries } from '../events/event-deliveries.ts';
import type { NewRound } from '../queue/new-round.ts';

/** The first event with an idempotency key. */
export interface FirstEvent {
  eventId: string;
  /** Whether the bodies of the first and the repeated event differ. */
  isConflicting: boolean;
}

/** Returns the summary of a new event, without its deliveries. */
export function capturedEvent(
  request: CapturedRequest,
  seq: number,
  endpointId: string,
  first: FirstEvent | null,
): Omit<EventSummary, keyof SummaryDeliveries> {
  return {
    seq,
    id: request.id,
    endpointId,
    status: 'received',
    method: request.method,
    path: request.path,
    contentType: request.contentType,
    size: request.body.length,
    provider: request.provider,
    eventType: request.eventType,
    sourceIp: request.sourceIp,
    receivedAt: request.receivedAt,
    attempts: 0,
    outcome: null,
    editedFrom: request.editedFrom ?? null,
    verification: request.verdict?.verification ?? NOT_CHECKED,
    duplicateOf: first?.eventId ?? null,
    isConflicting: first?.isConflicting ?? false,
    unjudged: request.verdict?.unjudged ?? null,
  };
}

/** Returns the round of an event's capture. */
export function captureRound(
  {
    id,
    receivedAt,
    body,
    verdict,
  }: Pick<CapturedRequest, 'id' | 'receivedAt' | 'verdict'> & { body: { length: number } },
  endpointKey: number,
  seq: number,
  { on_unjudged }: Pick<EndpointSettings, 'on_unjudged'>,
): NewRound {
  return {
    endpointKey,
    seq,
    eventId: id,
    round: 1,
    trigger: 'capture',
    now: receivedAt,
    size: body.length,
    orderKeys: verdict?.orderKeys ?? [],
    isHeld: on_unjudged === 'hold' && (verdict?.unjudged ?? null) !== null,
    jobKey: null,
  };
}
