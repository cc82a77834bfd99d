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
import { cursorSchema, placeOf, refused, searchCursor } from '../searching/search-cursor.ts';
import type { Searches } from '../searching/searches.ts';
import { stoppedSearch, stoppedSearchSchema } from '../searching/stopped-search.ts';
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
  cursor: v.optional(cursorSchema),
});

const accountItemSchema = v.object({ ...eventListItemSchema.entries, endpoint_id: v.string() });

const stopped = (item: v.GenericSchema) => ({
  status: 503,
  description: 'The search stopped before its end: what it found, and where it goes on',
  response: stoppedSearchSchema(item),
});

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
    const { page: _, limit: __, view, around, cursor, ...filters } = query;
    const given = presentFilters(filters);
    const before = cursor === undefined ? undefined : placeOf(scope, given, cursor);
    if (before !== undefined && around !== undefined) throw refused('can’t go with around');
    const filter = before === undefined ? given : { ...given, before };
    const show = view === 'summary' ? eventSummaryView : item;
    const listed = (window: { limit: number; offset: number }, after?: number) =>
      searches.run(principal.user.id, filter, signal, async (until, forMs) => {
        const found = await events.list(
          scope,
          after === undefined ? filter : { ...filter, after },
          { ...window, typesInBodies: view === 'summary', ...(forMs !== undefined && { forMs }) },
          until,
        );
        if (!found.stopped) return found;
        const next = searchCursor(scope, given, found.stopped.before);
        throw stoppedSearch(found.events.map(show), found.stopped, next);
      });
    const pageOf = async (window: { page: number; limit: number; offset: number }) => ({
      ...window,
      ...(await listed(window)),
    });
    const newerThan = async (seq: number) => (await listed({ offset: 0, limit: 1 }, seq)).total;
    const found =
      around === undefined
        ? await pageOf(windowOf(query))
        : await pageAround(
            await events.findOwned(principal.user.id, around),
            { newerThan, pageOf },
            query.limit,
          );
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
      also: stopped(v.union([eventSummarySchema, accountItemSchema])),
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
      also: stopped(v.union([eventSummarySchema, eventListItemSchema])),
      handle: (context) =>
        list({ endpointKeys: [context.endpoint.key] }, context.query, context, eventListItem),
    }),
  ];
}
