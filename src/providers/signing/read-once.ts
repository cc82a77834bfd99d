import type { SignedRequest } from './signed-request.ts';

type Read<T> = (request: SignedRequest) => T;

const known = new WeakMap<SignedRequest, { read: Read<unknown>; value: unknown }>();

/**
 * Returns what `read` finds in a request, and caches the result for further secrets. Parsing a body
 * takes longer than checking a signature. The request object is the cache key, so each request
 * needs its own object. The body can't be the key, because its memory is reused.
 *
 * @param read the same function for each secret
 */
export function readOnce<T>(request: SignedRequest, read: Read<T>): T {
  const found = known.get(request);
  if (found?.read === read) return found.value as T;
  const value = read(request);
  known.set(request, { read, value });
  return value;
}
