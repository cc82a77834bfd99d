import type { ApiClient } from './api-client.ts';
import { destinationNamed, destinationsOf } from './destination-ref.ts';

const ID = /^dst_[A-Za-z0-9]{4,64}$/;

/** Returns each id once. Throws the errors of `destinationNamed`. */
export async function namedDestinations(
  client: ApiClient,
  endpointId: string,
  named: readonly string[],
): Promise<string[]> {
  // Don't look up ids, because the server checks them.
  const destinations = named.every((text) => ID.test(text))
    ? []
    : await destinationsOf(client, endpointId);
  const ids = named.map((text) => (ID.test(text) ? text : destinationNamed(destinations, text).id));
  return [...new Set(ids)];
}
