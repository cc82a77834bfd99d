import type { SignedRequest } from './signed-request.ts';

type Read<T> = (request: SignedRequest) => T;

const known = new WeakMap<SignedRequest, { read: Read<unknown>; value: unknown }>();

/**
 * What `read` finds in a request, read once for all secrets: parsing a body takes longer than
 * checking it. Each request must be an object of its own, because later bodies reuse its memory.
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
