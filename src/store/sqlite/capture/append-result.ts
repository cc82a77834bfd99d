import type { CaptureResponse } from '../../../core/http/capture-response.ts';
import type { CapturedRequest } from '../../../core/http/captured-request.ts';
import { NOT_CHECKED } from '../../../core/proof/verification.ts';
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
  results: (AppendedEvent | Exclude<AppendResult, { stored: true }>)[];
}

export interface AppendedEvent {
  seq: number;
  of: CapturedFor;
  /** Absent for an event that repeats no other. */
  duplicate?: Duplicate;
}

/** What an event is that repeats an earlier one. */
export interface Duplicate {
  /** Id of the first event. */
  of: string;
  isConflicting: boolean;
}

/** Completes the result from the requests. */
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
  { seq, of, duplicate }: AppendedEvent,
): AppendResult {
  const { userId, endpointKey, endpointId, response } = of;
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
      outcome: null,
      editedFrom: request.editedFrom ?? null,
      verification: request.verdict?.verification ?? NOT_CHECKED,
      duplicateOf: duplicate?.of ?? null,
      isConflicting: duplicate?.isConflicting ?? false,
      unjudged: request.verdict?.unjudged ?? null,
    },
  };
}
