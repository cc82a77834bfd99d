import * as v from 'valibot';
import type { Principal } from '../../accounts/principal.ts';
import type { EventSummary } from '../../core/model.ts';
import type { EventStore } from '../../store/contract/events.ts';
import type { Scope } from '../../store/contract/scope.ts';
import { scopeOf } from '../access.ts';
import { type Route, route } from '../route.ts';
import { filterQueryEntries, presentFilters } from '../schemas/event-filter.ts';
import { eventListItemSchema, eventSummarySchema } from '../schemas/event-schema.ts';
import { pageEntries, pageSchema, windowOf } from '../schemas/page.ts';
import type { Searches } from '../searches.ts';
import { eventListItem, eventSummaryView } from '../views.ts';

const MAX_LIMIT = 1000;

const listSchema = v.object({
  ...filterQueryEntries,
  ...pageEntries(MAX_LIMIT),
  view: v.optional(v.picklist(['summary'], 'must be summary')),
});

const accountItemSchema = v.object({ ...eventListItemSchema.entries, endpoint_id: v.string() });

export interface EventListRoutesOptions {
  events: EventStore;
  searches: Searches;
}

export function eventListRoutes({ events, searches }: EventListRoutesOptions): Route[] {
  const tag = 'events';

  async function list(
    scope: Scope,
    query: v.InferOutput<typeof listSchema>,
    { principal, signal }: { principal: Principal; signal: AbortSignal },
    item: (event: EventSummary) => object,
  ): Promise<object> {
    const { page: _, limit: __, view, ...filters } = query;
    const { page, limit, offset } = windowOf(query);
    const filter = presentFilters(filters);
    const window = { offset, limit, typesInBodies: view === 'summary' };
    const found = await searches.run(principal.user.id, filter, signal, (until) =>
      events.list(scope, filter, window, until),
    );
    const show = view === 'summary' ? eventSummaryView : item;
    return { data: found.events.map(show), page, limit, total: found.total };
  }

  return [
    route({
      method: 'GET',
      path: '/api/events',
      summary: 'List the events of all endpoints, newest first, filtered and paged',
      tag,
      access: 'account-part',
      scope: 'read',
      query: listSchema,
      status: 200,
      response: pageSchema(v.union([eventSummarySchema, accountItemSchema])),
      handle: (context) =>
        list(scopeOf(context.principal), context.query, context, (event) => ({
          ...eventListItem(event),
          endpoint_id: event.endpointId,
        })),
    }),
    route({
      method: 'GET',
      path: '/api/endpoints/{id}/events',
      summary: 'List an endpoint’s events, newest first, filtered and paged',
      tag,
      access: 'endpoint',
      scope: 'read',
      query: listSchema,
      status: 200,
      response: pageSchema(v.union([eventSummarySchema, eventListItemSchema])),
      handle: (context) =>
        list({ endpointKeys: [context.endpoint.key] }, context.query, context, eventListItem),
    }),
  ];
}
