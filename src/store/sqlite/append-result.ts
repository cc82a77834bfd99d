import type { CapturedRequest, CaptureResponse } from '../../core/model.ts';
import type { AppendResult } from '../contract/events.ts';

/** What an event's result tells of the endpoint that it was captured for. */
export interface CapturedFor {
  userId: string;
  endpointKey: number;
  endpointId: string;
  response: CaptureResponse | null;
}

/** The result of a request that became the event `seq`. */
export function storedResult(
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
    },
  };
}
