import { isUndecided, type Verification } from './verification.ts';

/** Most rejected requests of an endpoint that are kept: the newest. */
export const MOST_REJECTED = 1000;
/** Most bytes of them, of an endpoint: see `rejectedBytes`. */
export const MOST_REJECTED_BYTES = 64 * 1024 * 1024;
/** Most rejected requests of an endpoint that are stored in any second. The others leave no trace. */
export const MOST_REJECTED_PER_S = 20;
/** The same where a request's key can't be had: it may well be genuine. As many as are kept. */
export const MOST_UNDECIDED_PER_S = MOST_REJECTED;

/** How many of an endpoint's rejected requests a second may have when one of this kind is added. */
export function mostPerSecond(verification: Verification | null): number {
  return isUndecided(verification) ? MOST_UNDECIDED_PER_S : MOST_REJECTED_PER_S;
}

/**
 * What a rejected request counts for `MOST_REJECTED_BYTES`: with many headers and a small
 * body, it takes the place of its headers.
 */
export function rejectedBytes({ path, query, headers, body }: StoredRequest): number {
  const texts = Buffer.byteLength(path) + Buffer.byteLength(query) + Buffer.byteLength(headers);
  return texts + body.length;
}

interface StoredRequest {
  path: string;
  query: string;
  /** JSON. */
  headers: string;
  body: { length: number };
}
