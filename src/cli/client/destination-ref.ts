import type { CallParams } from '../../api/client/typed-call.ts';
import type { DestinationAnswer } from '../../api/destinations/destination-answer.ts';
import type { EndpointAnswer } from '../../api/endpoints/endpoint-answer.ts';
import { HookrelayError } from '../../core/errors.ts';
import type { ApiClient } from './api-client.ts';
import { findEndpoint } from './endpoint-ref.ts';

export const DESTINATION_HELP = "the destination's id, URL or name";

export interface FoundDestination {
  endpoint: EndpointAnswer;
  destination: DestinationAnswer;
  params: CallParams<'GET /api/endpoints/{id}/destinations/{destinationId}'>;
}

/** Throws `endpoint_not_found`, `destination_not_found`, or `config_invalid` if several match. */
export async function findDestination(
  client: ApiClient,
  reference: string,
  named: string,
): Promise<FoundDestination> {
  const endpoint = await findEndpoint(client, reference);
  const { id } = endpoint;
  const destination = destinationNamed(await destinationsOf(client, id), named);
  return { endpoint, destination, params: { id, destinationId: destination.id } };
}

/** Returns an endpoint's destinations. Keeps all digits of the numbers in their rules. */
export function destinationsOf(client: ApiClient, id: string): Promise<DestinationAnswer[]> {
  return client.call('GET /api/endpoints/{id}/destinations', { params: { id }, exact: true });
}

export function destinationLabel({ name, url }: DestinationAnswer): string {
  return name ?? url;
}

/**
 * Finds a destination by its id or URL, otherwise by its name. Throws `destination_not_found`, or
 * `config_invalid` if several match.
 */
export function destinationNamed(
  destinations: DestinationAnswer[],
  named: string,
): DestinationAnswer {
  const url = URL.parse(named)?.href;
  const exact = destinations.filter((one) => one.id === named || one.url === url);
  const found = exact.length > 0 ? exact : destinations.filter(({ name }) => name === named);
  if (found.length === 1) return found[0] as DestinationAnswer;
  if (found.length > 1) {
    const listed = found.map(
      ({ id, name, url }) => `${id} (${exact.length > 0 ? (name ?? url) : url})`,
    );
    throw new HookrelayError('config_invalid', `several destinations match: ${listed.join(', ')}`, {
      hint: 'name the destination by its id',
    });
  }
  throw new HookrelayError('destination_not_found', `there is no destination "${named}"`, {
    hint: 'hookrelay destinations list ENDPOINT',
  });
}
