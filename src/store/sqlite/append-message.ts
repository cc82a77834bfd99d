import type { CapturedRequest } from '../../core/model.ts';
import type { NewDeliveries } from '../contract/claims.ts';
import type { AppendBatchResult, AppendResult } from '../contract/events.ts';
import { type CapturedFor, storedResult } from './append-result.ts';

/** A batch of captures on its way back from the store's thread: only what the sender can't know. */
export interface PackedResult extends NewDeliveries {
  results: ({ seq: number; of: CapturedFor } | Exclude<AppendResult, { stored: true }>)[];
}

export function packResult({ results, ...deliveries }: AppendBatchResult): PackedResult {
  // One object for each endpoint: a message holds what is named twice once.
  const endpoints = new Map<number, CapturedFor>();
  return {
    ...deliveries,
    results: results.map((result) => {
      if (!result.stored) return result;
      const { endpointKey, userId, response, event } = result;
      let of = endpoints.get(endpointKey);
      if (!of) {
        of = { userId, endpointKey, endpointId: event.endpointId, response };
        endpoints.set(endpointKey, of);
      }
      return { seq: event.seq, of };
    }),
  };
}

export function unpackResult(
  requests: readonly CapturedRequest[],
  { results, ...deliveries }: PackedResult,
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
