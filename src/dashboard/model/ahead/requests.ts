import { type Filter, firstPageQuery } from '../event-list.ts';
import type { View } from '../router.ts';

/** The list of an endpoint's events, or of all. */
export const listPath = (endpointId: string | null): string =>
  `/api/${endpointId === null ? '' : `endpoints/${endpointId}/`}events`;

/** What an open event consists of. */
export function eventRequests(endpointId: string, eventId: string): [string, string] {
  const path = `/api/endpoints/${endpointId}/events/${encodeURIComponent(eventId)}`;
  return [path, `${path}/deliveries`];
}

/**
 * What the view of an address asks for first, so that it can be asked for while the page
 * starts.
 */
export function firstRequests(view: View, filter: Filter): string[] {
  const paths = ['/api/endpoints'];
  if (view.kind === 'events') paths.push(listPath(null) + firstPageQuery(filter));
  if (view.kind !== 'endpoint' || view.tab !== 'events') return paths;
  paths.push(listPath(view.endpointId) + firstPageQuery(filter));
  // The event itself may be 20 MB, and comes in another way then: its row says so.
  if (view.itemId !== null) paths.push(eventRequests(view.endpointId, view.itemId)[1]);
  return paths;
}
