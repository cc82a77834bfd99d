/**
 * Why the fast path hands a connection to Node:
 *
 * - `route`: no capture URL
 * - `large`: a body, or a head, longer than the fast path takes
 * - `partial`: the chunk ends before the request does
 * - `pipelined`: bytes after the request, or before the answer to the one before
 * - `slow_reader`: the sender doesn't read its answers
 * - `unusual`: everything else, such as chunked bodies, other methods, HTTP/1.0
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

/** Requests since the start: taken by the fast path, and handed over by it. */
export interface FastPathCounts {
  taken: number;
  handedOver: Record<HandOverCause, number>;
}

export function noCounts(): FastPathCounts {
  const handedOver = { route: 0, large: 0, partial: 0, pipelined: 0, slow_reader: 0, unusual: 0 };
  return { taken: 0, handedOver };
}
