import type { NamedIssue } from '../../core/issues/issue.ts';
import type { EndpointStore } from '../../store/contract/endpoints.ts';
import { changeEndpoint } from '../endpoints/change-endpoint.ts';

/**
 * Confirms the secret that a provider sent in a handshake. Called when a person resolves the issue
 * about it. Throws `endpoint_not_found` and `overloaded`.
 */
export async function confirmSecret(
  { issue: { userId }, endpoint }: NamedIssue,
  endpoints: Pick<EndpointStore, 'find' | 'update'>,
): Promise<void> {
  if (endpoint === null) return;
  await changeEndpoint(endpoints, { userId, id: endpoint.id }, ({ source }) => {
    if (!source) return {};
    const { brought: _, ...confirmed } = source;
    return { source: confirmed };
  });
}
