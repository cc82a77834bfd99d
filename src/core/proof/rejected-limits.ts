import { isUndecided, type Verification } from './verification.ts';

/** How many rejected requests an endpoint keeps. It keeps the newest. */
export const MOST_REJECTED = 1000;
/** The largest total size of an endpoint's rejected requests, bytes (`rejectedBytes`). */
export const MOST_REJECTED_BYTES = 64 * 1024 * 1024;
/** How many rejected requests an endpoint stores in a second. Further ones leave no trace. */
export const MOST_REJECTED_PER_S = 20;
/**
 * How many requests an endpoint stores in a second if their key can't be fetched. The limit is
 * higher, because they may be genuine. Still, the endpoint keeps at most `MOST_REJECTED`.
 */
export const MOST_UNDECIDED_PER_S = 1000;

/** Returns how many rejected requests like one with this verification are stored in a second. */
export function mostPerSecond(verification: Verification | null): number {
  return isUndecided(verification) ? MOST_UNDECIDED_PER_S : MOST_REJECTED_PER_S;
}

/**
 * Returns the size that a rejected request adds towards `MOST_REJECTED_BYTES`. Its headers count,
 * because they can be larger than the body.
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
