import type { EndpointAnswer } from '../../api/endpoints/endpoint-answer.ts';
import { HookrelayError } from '../../core/errors.ts';
import type { ApiClient } from './api-client.ts';

export const ENDPOINT_HELP = "the endpoint's id, name or capture URL";

const MAX_NAMES = 8;

/**
 * Finds an endpoint by its id, capture URL, token or name. Without a reference, finds the account's
 * only endpoint. Throws `endpoint_not_found`, or `config_invalid` if several match.
 */
export async function findEndpoint(
  client: ApiClient,
  reference: string | undefined,
): Promise<EndpointAnswer> {
  const endpoints = await client.call('GET /api/endpoints');
  const found = reference === undefined ? endpoints : namedBy(endpoints, reference);
  if (found.length === 1) return found[0] as EndpointAnswer;
  if (found.length > 1) {
    throw new HookrelayError('config_invalid', `several endpoints match: ${listed(found)}`, {
      hint: 'name the endpoint by its id',
    });
  }
  throw new HookrelayError(
    'endpoint_not_found',
    reference === undefined ? 'there is no endpoint yet' : `there is no endpoint "${reference}"`,
    {
      hint:
        endpoints.length === 0
          ? 'create one with hookrelay endpoints create NAME'
          : `there are ${listed(endpoints)}`,
    },
  );
}

/** Returns the endpoint with this id, capture URL or token, otherwise all with this name. */
function namedBy(endpoints: EndpointAnswer[], reference: string): EndpointAnswer[] {
  const token = /\/in\/([A-Za-z0-9_-]+)/.exec(reference)?.[1] ?? reference;
  const exact = endpoints.filter(
    ({ id, public_token }) => id === reference || public_token === token,
  );
  return exact.length > 0 ? exact : endpoints.filter(({ name }) => name === reference);
}

function listed(endpoints: EndpointAnswer[]): string {
  const names = endpoints.slice(0, MAX_NAMES).map(({ id, name }) => `${id} (${name})`);
  if (endpoints.length > MAX_NAMES) names.push('…');
  return names.join(', ');
}
