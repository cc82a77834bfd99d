import { type Principal, reaches } from '../accounts/principal.ts';
import { HookrelayError } from '../core/errors.ts';
import type { Endpoint, EventSummary, TokenScope } from '../core/model.ts';
import type { EndpointStore } from '../store/contract/endpoints.ts';
import type { EventStore } from '../store/contract/events.ts';
import type { Scope } from '../store/contract/live.ts';
import type { Route } from './route.ts';

/**
 * Checks what the caller's token may do, before anything is read for it. Throws
 * `session_required` and `scope_required`.
 */
export function requireRights(route: Route, { sessionId, apiToken }: Principal): void {
  if (route.access === 'session' && sessionId === null) {
    throw new HookrelayError(
      'session_required',
      'an API token cannot manage sessions, API tokens or the password',
      { hint: 'log in and use the access token' },
    );
  }
  if (route.access === 'account' && apiToken?.endpoints) {
    throw new HookrelayError(
      'scope_required',
      'this API token is limited to some endpoints, and this concerns the whole account',
      { hint: `use a token without that limit: ${commandFor(route.scope)}` },
    );
  }
  if (!route.onlyReads) requireScope(route.scope, { apiToken });
}

/** Throws `scope_required`. A session has every scope. */
export function requireScope(
  scope: TokenScope | undefined,
  { apiToken }: Pick<Principal, 'apiToken'>,
): void {
  if (scope === undefined || !apiToken || apiToken.scopes.includes(scope)) return;
  throw new HookrelayError('scope_required', `this API token lacks the scope ${scope}`, {
    hint: `use a token with that scope: ${commandFor(scope)}`,
  });
}

function commandFor(scope: TokenScope | undefined): string {
  return `hookrelay tokens create NAME --scope ${scope}`;
}

/**
 * The only check of ownership. Returns the endpoint and event of the path if the caller's
 * token may see them. An unknown one, another account's, and one beyond the token's limit
 * give the same error.
 */
export async function ownedBy(
  principal: Principal,
  route: Route,
  { id, eventId }: Record<string, string>,
  { endpoints, events }: { endpoints: EndpointStore; events: EventStore },
): Promise<{ endpoint?: Endpoint; event?: EventSummary }> {
  if (route.access !== 'endpoint' && route.access !== 'event') return {};
  const { user } = principal;
  const noEvent = () => new HookrelayError('event_not_found', 'there is no such event');
  if (id === undefined) {
    const owned = await events.findOwned(user.id, eventId as string);
    if (!owned || !reaches(principal, owned.endpoint.key)) throw noEvent();
    return owned;
  }
  const endpoint = await endpoints.find(user.id, id);
  if (!endpoint || !reaches(principal, endpoint.key)) {
    throw new HookrelayError('endpoint_not_found', 'there is no such endpoint');
  }
  if (route.access === 'endpoint') return { endpoint };
  const event = await events.find(endpoint.key, eventId as string);
  if (!event) throw noEvent();
  return { endpoint, event };
}

/** All endpoints that the token may see. Its limit never changes; a deleted endpoint has no items. */
export function scopeOf({ user, apiToken }: Principal): Scope {
  const endpoints = apiToken?.endpoints;
  return endpoints ? { endpointKeys: endpoints.map(({ key }) => key) } : { userId: user.id };
}
