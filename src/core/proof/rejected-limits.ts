import { isUndecided, type Verification } from './verification.ts';

/** An endpoint keeps this many rejected requests, the newest. */
export const MOST_REJECTED = 1000;
/** Most bytes of an endpoint's rejected requests (`rejectedBytes`). */
export const MOST_REJECTED_BYTES = 64 * 1024 * 1024;
/** An endpoint stores this many rejected requests a second. More leave no trace. */
export const MOST_REJECTED_PER_S = 20;
/**
 * The same for requests whose key can't be fetched: they may be genuine. No more than
 * `MOST_REJECTED` are kept.
 */
export const MOST_UNDECIDED_PER_S = 1000;

/** How many rejected requests an endpoint stores in the second of one with this verification. */
export function mostPerSecond(verification: Verification | null): number {
  return isUndecided(verification) ? MOST_UNDECIDED_PER_S : MOST_REJECTED_PER_S;
}

/**
 * A rejected request's share of `MOST_REJECTED_BYTES`. Headers count, because they can be larger
 * than the body.
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
