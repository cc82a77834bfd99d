import type { EndpointAnswer } from '../../api/endpoints/endpoint-answer.ts';
import type { ApiClient } from '../client/api-client.ts';
import { findEndpoint } from '../client/endpoint-ref.ts';
import type { StreamItem } from './stream-item.ts';

export interface Followed {
  /** The endpoint whose own stream is enough; null for the account's stream. */
  endpointId: string | null;
  /** Null means all endpoints, including later ones. */
  endpoints: EndpointAnswer[] | null;
  wants(item: StreamItem): boolean;
}

/** Throws `endpoint_not_found`, or `config_invalid` for an ambiguous name. */
export async function chooseStream(
  client: ApiClient,
  references: readonly string[],
): Promise<Followed> {
  if (references.length === 0) return { endpointId: null, endpoints: null, wants: () => true };
  const found = new Map<string, EndpointAnswer>();
  for (const reference of references) {
    const endpoint = await findEndpoint(client, reference);
    found.set(endpoint.id, endpoint);
  }
  const endpoints = [...found.values()];
  const [only] = endpoints as [EndpointAnswer];
  // The API streams one endpoint or all of them. For several, filter the stream of all.
  return {
    endpointId: endpoints.length === 1 ? only.id : null,
    endpoints,
    wants(item) {
      if (item.kind === 'event') return found.has(item.event.endpoint_id);
      if (item.kind === 'attempt') return found.has(item.attempt.endpoint_id);
      return true;
    },
  };
}
