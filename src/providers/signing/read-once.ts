import type { SignedRequest } from './signed-request.ts';

type Read<T> = (request: SignedRequest) => T;

const known = new WeakMap<SignedRequest, { read: Read<unknown>; value: unknown }>();

/**
 * Returns what `read` finds in a request. Calls `read` once for all secrets, because parsing a body
 * takes longer than checking a signature. Each request must be an object of its own: the result is
 * kept by this object, because the memory of a body is used again for later bodies.
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
