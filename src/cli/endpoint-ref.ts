import { HookrelayError } from '../core/errors.ts';
import type { ApiClient } from './api-client.ts';

/** How an endpoint may be named, for help. */
export const ENDPOINT_HELP = "the endpoint's id, its name, or its capture URL";

/** Names that an error message lists. */
const MAX_NAMES = 8;

/** An endpoint as the API shows it. */
export interface EndpointView {
  id: string;
  name: string;
  public_token: string;
  is_active: boolean;
  created_at: string;
  capture_url: string;
  response: { status: number; content_type: string; body: string } | null;
}

/**
 * The endpoint that a person names by its id, its capture URL (or the token in
 * it), or its name when only one has it. Without a name: the only endpoint.
 *
 * Throws `endpoint_not_found`, or `config_invalid` when it could be several.
 */
export async function findEndpoint(
  client: ApiClient,
  reference: string | undefined,
): Promise<EndpointView> {
  const endpoints = await client.call<EndpointView[]>('GET', '/api/endpoints');
  const found = reference === undefined ? endpoints : namedBy(endpoints, reference);
  if (found.length === 1) return found[0] as EndpointView;
  if (found.length > 1) {
    throw new HookrelayError('config_invalid', `that could be any of ${listed(found)}`, {
      hint: 'name the endpoint by its id',
    });
  }
  throw new HookrelayError(
    'endpoint_not_found',
    reference === undefined ? 'there is no endpoint yet' : `there is no endpoint "${reference}"`,
    {
      hint:
        endpoints.length === 0
          ? 'make one with hookrelay endpoints create NAME'
          : `there are ${listed(endpoints)}`,
    },
  );
}

/** An id or an address is nobody's name, whatever others call their endpoints. */
function namedBy(endpoints: EndpointView[], reference: string): EndpointView[] {
  const token = /\/in\/([A-Za-z0-9_-]+)/.exec(reference)?.[1] ?? reference;
  const exact = endpoints.filter(
    ({ id, public_token }) => id === reference || public_token === token,
  );
  return exact.length > 0 ? exact : endpoints.filter(({ name }) => name === reference);
}

function listed(endpoints: EndpointView[]): string {
  const names = endpoints.slice(0, MAX_NAMES).map(({ id, name }) => `${id} (${name})`);
  if (endpoints.length > MAX_NAMES) names.push('…');
  return names.join(', ');
}
