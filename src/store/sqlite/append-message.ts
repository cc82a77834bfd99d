import type { CapturedRequest } from '../../core/model.ts';
import type { AppendBatchResult, AppendResult, NewDeliveries } from '../store.ts';
import { type CapturedFor, storedResult } from './append-result.ts';

/*
 * A batch of captures on its way to the store's thread and back. It is the
 * hottest message: bodies go over as one block of memory, which is handed over
 * and not copied again, and of what comes back only what the sender can't know.
 */

export interface PackedRequests {
  requests: Omit<CapturedRequest, 'body'>[];
  /** Of each body, bytes. */
  sizes: number[];
  /** All bodies, one after the other. */
  bodies: Uint8Array<ArrayBuffer>;
}

export interface PackedResult extends NewDeliveries {
  results: ({ seq: number; of: CapturedFor } | Exclude<AppendResult, { stored: true }>)[];
}

export function packRequests(requests: readonly CapturedRequest[]): PackedRequests {
  const sizes = requests.map(({ body }) => body.length);
  const bodies = new Uint8Array(sizes.reduce((sum, size) => sum + size, 0));
  let at = 0;
  for (const { body } of requests) {
    bodies.set(body, at);
    at += body.length;
  }
  return { requests: requests.map(({ body, ...request }) => request), sizes, bodies };
}

export function unpackRequests({ requests, sizes, bodies }: PackedRequests): CapturedRequest[] {
  let at = 0;
  return requests.map((request, i) => {
    const from = at;
    at += sizes[i] as number;
    return { ...request, body: bodies.subarray(from, at) };
  });
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
