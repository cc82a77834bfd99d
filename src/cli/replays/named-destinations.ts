import type { ApiClient } from '../client/api-client.ts';
import { destinationNamed, destinationsOf } from '../client/destination-ref.ts';

const ID = /^dst_[A-Za-z0-9]{4,64}$/;

/**
 * Returns the ids of those of an endpoint's destinations that a person has named, each id once.
 * Throws what `destinationNamed` throws.
 */
export async function namedDestinations(
  client: ApiClient,
  endpointId: string,
  named: readonly string[],
): Promise<string[]> {
  // The server checks ids.
  const destinations = named.every((text) => ID.test(text))
    ? []
    : await destinationsOf(client, endpointId);
  const ids = named.map((text) => (ID.test(text) ? text : destinationNamed(destinations, text).id));
  return [...new Set(ids)];
}
