import type { SignedRequest } from './signed-request.ts';

type Read<T> = (request: SignedRequest) => T;

const known = new WeakMap<SignedRequest, { read: Read<unknown>; value: unknown }>();

/**
 * Returns what `read` finds in a request. Calls `read` once for all secrets, because parsing a body
 * takes longer than checking a signature. Make a new object for each request: a request that reuses
 * an object would get the old result.
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
