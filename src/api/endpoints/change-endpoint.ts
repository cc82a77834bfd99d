import type { Endpoint } from '../../core/model.ts';
import type { EndpointPatch, EndpointStore } from '../../store/contract/endpoints.ts';
import { changeNewest } from '../change-newest.ts';

/**
 * Uses `changeNewest`, because others may change the endpoint. Also throws the errors of `patchOf`.
 */
export function changeEndpoint(
  endpoints: Pick<EndpointStore, 'find' | 'update'>,
  { userId, id }: Pick<Endpoint, 'userId' | 'id'>,
  patchOf: (before: Endpoint) => EndpointPatch,
): Promise<{ before: Endpoint; after: Endpoint }> {
  return changeNewest(
    'endpoint',
    () => endpoints.find(userId, id),
    (before) => endpoints.update(before.key, patchOf(before), before),
  );
}
