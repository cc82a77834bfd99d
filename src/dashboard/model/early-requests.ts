import { callTarget } from '../../api/client/call-target.ts';
import type { CallQuery } from '../../api/client/typed-call.ts';
import { asTyped } from './as-typed.ts';
import { firstPageQuery } from './event-list.ts';
import type { ListFilter } from './list-filter.ts';
import type { PageView } from './router.ts';

/** Returns the requests of an open event. */
export function eventRequests(endpointId: string, eventId: string): [string, string] {
  const target = { params: { id: endpointId, eventId } };
  return [
    callTarget('GET /api/endpoints/{id}/events/{eventId}', target).path,
    callTarget('GET /api/endpoints/{id}/events/{eventId}/deliveries', target).path,
  ];
}

/** Returns the first requests of a view. The page sends them while it starts. */
export function firstRequests(view: PageView, filter: ListFilter): string[] {
  const paths = [callTarget('GET /api/endpoints', undefined).path];
  const query = asTyped<CallQuery<'GET /api/events'>>(firstPageQuery(filter));
  if (view.kind === 'events') paths.push(callTarget('GET /api/events', { query }).path);
  if (view.kind !== 'endpoint' || view.tab !== 'events') return paths;
  const params = { id: view.endpointId };
  paths.push(callTarget('GET /api/endpoints/{id}/events', { params, query }).path);
  // The event itself isn't requested yet, because only its row says whether its body loads
  // separately.
  if (view.itemId !== null) paths.push(eventRequests(view.endpointId, view.itemId)[1]);
  return paths;
}
