import type { CaptureResponse } from '../../../core/http/capture-response.ts';
import type { CapturedRequest } from '../../../core/http/captured-request.ts';
import type { NewDeliveries } from '../../contract/claims.ts';
import type { AppendBatchResult, AppendResult } from '../../contract/events.ts';
import { capturedEvent, type FirstEvent } from '../../shared/capture/captured-event.ts';
import type { SummaryDeliveries } from '../../shared/events/event-deliveries.ts';

/** The endpoint of a captured event. */
export interface CapturedFor {
  userId: string;
  endpointKey: number;
  endpointId: string;
  response: CaptureResponse | null;
}

/** The result of a batch, without what the caller already knows. */
export interface AppendedBatch extends NewDeliveries {
  /** Events of one endpoint share one `of` object, so that a message clones it only once. */
  results: (AppendedEvent | Exclude<AppendResult, { stored: true }>)[];
}

export interface AppendedEvent {
  seq: number;
  of: CapturedFor;
  deliveries: SummaryDeliveries;
  /** Absent if the event repeats no other event. */
  first?: FirstEvent;
}

/** Completes the result with what the requests contain. */
export function wholeResult(
  requests: readonly CapturedRequest[],
  { results, ...deliveries }: AppendedBatch,
): AppendBatchResult {
  return {
    ...deliveries,
    results: results.map((result, i) =>
      'seq' in result ? storedResult(requests[i] as CapturedRequest, result) : result,
    ),
  };
}

function storedResult(
  request: CapturedRequest,
  { seq, of, deliveries, first }: AppendedEvent,
): AppendResult {
  const { userId, endpointKey, endpointId, response } = of;
  const event = {
    ...capturedEvent(request, seq, endpointId, first ?? null),
    ...deliveries,
  };
  return { stored: true, userId, endpointKey, response, event };
}
