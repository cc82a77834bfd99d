import { type Principal, reaches } from '../accounts/principal.ts';
import { HookrelayError } from '../core/errors.ts';
import type { NamedIssue } from '../core/issues/issue.ts';
import type { Endpoint, EventSummary, ListedDelivery, TokenScope } from '../core/model.ts';
import type { Clock } from '../core/runtime/runtime.ts';
import type { DeliveryStore } from '../store/contract/deliveries.ts';
import type { EndpointStore } from '../store/contract/endpoints.ts';
import type { EventStore } from '../store/contract/events.ts';
import type { IssueScope, IssueStore } from '../store/contract/issues.ts';
import type { Scope } from '../store/contract/scope.ts';
import { existing, notFound } from './not-found.ts';
import type { Route } from './route.ts';

/**
 * Checks the rights of the caller's token before the route reads anything. Throws
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

/** The things that the ids of a path name. */
export interface Owned {
  endpoint?: Endpoint;
  event?: EventSummary;
  delivery?: ListedDelivery;
  eventSeq?: number;
  issue?: NamedIssue;
}

export interface OwnedStores {
  endpoints: EndpointStore;
  events: EventStore;
  deliveries: DeliveryStore;
  issues: Pick<IssueStore, 'find'>;
  clock: Clock;
}

/**
 * The only check of ownership. Finds what the path's ids name. An unknown id, an id of another
 * account and an id outside the token's endpoints give the same error.
 */
export async function ownedBy(
  principal: Principal,
  { access }: Pick<Route, 'access'>,
  { id, eventId, deliveryId, attemptId, issueId }: Record<string, string>,
  { endpoints, events, deliveries, issues, clock }: OwnedStores,
): Promise<Owned> {
  const { user } = principal;
  if (access === 'delivery') {
    const found = await deliveries.find(user.id, deliveryId as string, clock.now());
    return visible(principal, found, 'delivery');
  }
  if (access === 'attempt') {
    const found = await deliveries.findAttempt(user.id, attemptId as string);
    return visible(principal, found, 'attempt');
  }
  if (access === 'issue') {
    const issue = await issues.find(issueScopeOf(principal), issueId as string);
    return { issue: existing(issue, 'issue') };
  }
  if (access !== 'endpoint' && access !== 'event') return {};
  if (id === undefined) {
    const found = await events.findOwned(user.id, eventId as string);
    return visible(principal, found, 'event');
  }
  const found = await endpoints.find(user.id, id);
  const { endpoint } = visible(principal, found && { endpoint: found }, 'endpoint');
  if (access === 'endpoint') return { endpoint };
  const event = await events.find(endpoint.key, eventId as string);
  return visible(principal, event && { endpoint, event }, 'event');
}

/** Throws the 404 of the noun. */
function visible<T extends { endpoint: Endpoint }>(
  principal: Principal,
  found: T | null,
  noun: 'endpoint' | 'event' | 'delivery' | 'attempt',
): T {
  if (found && reaches(principal, found.endpoint.key)) return found;
  throw notFound(noun);
}

/**
 * Returns the endpoints that the token may see. A token's limit to some endpoints never changes.
 * A deleted endpoint may stay in the scope, because it has no items.
 */
export function scopeOf({ user, apiToken }: Principal): Scope {
  const endpoints = apiToken?.endpoints;
  return endpoints ? { endpointKeys: endpoints.map(({ key }) => key) } : { userId: user.id };
}

/** All issues that the token may see. */
export function issueScopeOf({ user, apiToken }: Principal): IssueScope {
  const endpoints = apiToken?.endpoints;
  return { userId: user.id, endpointIds: endpoints?.map(({ id }) => id) ?? null };
}
