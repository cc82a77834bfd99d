import * as v from 'valibot';
import type { Principal } from '../../accounts/principal.ts';
import { HookrelayError } from '../../core/errors.ts';
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
  around: v.optional(
    v.pipe(
      v.string('must be an event’s id'),
      v.description('Id of an event: the page that has it, in place of `page`.'),
    ),
  ),
});

const accountItemSchema = v.object({ ...eventListItemSchema.entries, endpoint_id: v.string() });

interface ListedPage {
  events: EventSummary[];
  page: number;
  limit: number;
  total: number;
}

/**
 * The page that has an event. Events that arrive meanwhile move it to the next one.
 * Throws `event_not_found` when the list hasn't the event.
 */
async function pageAround(
  owned: { event: EventSummary } | null,
  list: {
    newerThan(seq: number): Promise<number>;
    pageOf(window: { page: number; limit: number; offset: number }): Promise<ListedPage>;
  },
  limit: number | undefined,
): Promise<ListedPage> {
  const first = windowOf({ limit });
  if (owned) {
    const { id, seq } = owned.event;
    const newer = await list.newerThan(seq);
    const before = Math.floor(newer / first.limit);
    for (const page of [before + 1, before + 2]) {
      const found = await list.pageOf(windowOf({ page, limit }));
      if (found.events.some((event) => event.id === id)) return found;
    }
  }
  throw new HookrelayError('event_not_found', 'this list has no such event', {
    hint: 'leave the filters out, or look at /events/{eventId} itself',
  });
}

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
    const { page: _, limit: __, view, around, ...filters } = query;
    const filter = presentFilters(filters);
    const pageOf = async (window: { page: number; limit: number; offset: number }) => {
      const listed = { ...window, typesInBodies: view === 'summary' };
      const found = await searches.run(principal.user.id, filter, signal, (until) =>
        events.list(scope, filter, listed, until),
      );
      return { ...window, ...found };
    };
    const newerThan = (seq: number) =>
      searches.run(principal.user.id, filter, signal, async (until) => {
        const newest = { offset: 0, limit: 1 };
        return (await events.list(scope, { ...filter, after: seq }, newest, until)).total;
      });
    const found =
      around === undefined
        ? await pageOf(windowOf(query))
        : await pageAround(
            await events.findOwned(principal.user.id, around),
            { newerThan, pageOf },
            query.limit,
          );
    const show = view === 'summary' ? eventSummaryView : item;
    const { page, limit, total } = found;
    return { data: found.events.map(show), page, limit, total };
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
