import { HookrelayError } from '../../core/errors.ts';
import type { Endpoint } from '../../core/model.ts';
import type { EndpointPatch, EndpointStore } from '../../store/contract/endpoints.ts';

/** Times that others may change the endpoint between its read and its change. */
const MOST_TRIES = 20;

/**
 * Changes an endpoint by what it is now. When somebody changes its source or its dedupe at
 * the same time, the patch is made again from the newer endpoint, so that neither change is
 * lost.
 *
 * Throws `endpoint_not_found` and `overloaded`, and what `patchOf` throws.
 */
export async function changeEndpoint(
  endpoints: Pick<EndpointStore, 'find' | 'update'>,
  { userId, id }: Pick<Endpoint, 'userId' | 'id'>,
  patchOf: (before: Endpoint) => EndpointPatch,
): Promise<{ before: Endpoint; after: Endpoint }> {
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const before = await endpoints.find(userId, id);
    if (!before) throw noEndpoint();
    const after = await endpoints.update(before.key, patchOf(before), before);
    if (after === null) throw noEndpoint();
    if (after !== 'changed') return { before, after };
  }
  throw new HookrelayError('overloaded', 'others change this endpoint all the time', {
    hint: 'send the change again',
    retryAfterS: 1,
  });
}

export function noEndpoint(): HookrelayError {
  return new HookrelayError('endpoint_not_found', 'there is no such endpoint');
}
