/**
 * Why the fast path hands a connection to Node:
 *
 * - `route`: the target isn't a capture URL
 * - `large`: the body or the head exceeds the fast path's limit
 * - `partial`: the chunk ends before the request does
 * - `pipelined`: bytes follow the request, or arrive before the previous answer
 * - `slow_reader`: the sender doesn't read its answers
 * - `unusual`: all other requests, such as chunked bodies, other methods, HTTP/1.0
 */
export const HAND_OVER_CAUSES = [
  'route',
  'large',
  'partial',
  'pipelined',
  'slow_reader',
  'unusual',
] as const;

export type HandOverCause = (typeof HAND_OVER_CAUSES)[number];

/** Requests that the fast path has taken or handed to Node since the start. */
export interface FastPathCounts {
  taken: number;
  handedOver: Record<HandOverCause, number>;
}

export function noCounts(): FastPathCounts {
  const handedOver = { route: 0, large: 0, partial: 0, pipelined: 0, slow_reader: 0, unusual: 0 };
  return { taken: 0, handedOver };
}
