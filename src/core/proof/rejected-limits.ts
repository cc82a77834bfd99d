import { isUndecided, type Verification } from './verification.ts';

/** The largest number of rejected requests of an endpoint. It keeps the newest. */
export const MOST_REJECTED = 1000;
/** The largest total size of an endpoint's rejected requests, bytes (`rejectedBytes`). */
export const MOST_REJECTED_BYTES = 64 * 1024 * 1024;
/**
 * The largest number of rejected requests that an endpoint stores in a second. More leave no trace.
 */
export const MOST_REJECTED_PER_S = 20;
/**
 * The same limit for requests whose key can't be fetched. It is higher, because they may be
 * genuine.
 */
export const MOST_UNDECIDED_PER_S = 1000;

/** Returns how many rejected requests with such a verification are stored in a second. */
export function mostPerSecond(verification: Verification | null): number {
  return isUndecided(verification) ? MOST_UNDECIDED_PER_S : MOST_REJECTED_PER_S;
}

/**
 * Returns the size that counts towards `MOST_REJECTED_BYTES`. Headers can be larger than the body.
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
