import type { CapturedRequest } from '../../../core/http/captured-request.ts';
import type { CaptureResponse } from '../../../core/model.ts';
import type { NewDeliveries } from '../../contract/claims.ts';
import type { AppendBatchResult, AppendResult } from '../../contract/events.ts';

/** The part of an event's result that describes its endpoint. */
export interface CapturedFor {
  userId: string;
  endpointKey: number;
  endpointId: string;
  response: CaptureResponse | null;
}

/** The result of a batch of requests, without what the sender of the batch knows. */
export interface AppendedBatch extends NewDeliveries {
  /** Events of one endpoint share one `of` object, which a message holds only once. */
  results: ({ seq: number; of: CapturedFor } | Exclude<AppendResult, { stored: true }>)[];
}

/** Completes the result from the requests. */
export function wholeResult(
  requests: readonly CapturedRequest[],
  { results, ...deliveries }: AppendedBatch,
): AppendBatchResult {
  return {
    ...deliveries,
    results: results.map((result, i) =>
      'seq' in result
        ? storedResult(requests[i] as CapturedRequest, result.seq, result.of)
        : result,
    ),
  };
}

function storedResult(
  request: CapturedRequest,
  seq: number,
  { userId, endpointKey, endpointId, response }: CapturedFor,
): AppendResult {
  return {
    stored: true,
    userId,
    endpointKey,
    response,
    event: {
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
      editedFrom: request.editedFrom ?? null,
    },
  };
}
