import type * as v from 'valibot';
import type { Principal } from '../../accounts/principal.ts';
import { HookrelayError } from '../../core/errors.ts';
import type { EventSummary } from '../../core/model.ts';
import type { EventStore } from '../../store/contract/events.ts';
import type { Scope } from '../../store/contract/scope.ts';
import { scopeOf } from '../access.ts';
import type { Page } from '../list-page-answer.ts';
import { windowOf } from '../list-page-schema.ts';
import { type Route, routesOf } from '../route.ts';
import type { EventSummaryAnswer } from './event-answer.ts';
import { presentFilters } from './event-filter-schema.ts';
import { EVENT_LIST_CALLS, type listSchema } from './event-list-calls.ts';
import { eventListItem, eventSummaryView } from './event-view.ts';
import { placeOf, refused, searchCursor } from './search-cursor.ts';
import type { SearchTurns } from './search-turns.ts';
import { stoppedSearch } from './stopped-search.ts';

interface ListedPage {
  events: EventSummary[];
  page: number;
  limit: number;
  total: number;
}

/**
 * Returns the page that has an event. Events that arrive meanwhile may move the event to the next
 * page. Throws `event_not_found` if the list doesn't have the event.
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
  searches: SearchTurns;
}

export function eventListRoutes({ events, searches }: EventListRoutesOptions): Route[] {
  async function list<T>(
    scope: Scope,
    query: v.InferOutput<typeof listSchema>,
    { principal, signal }: { principal: Principal; signal: AbortSignal },
    item: (event: EventSummary) => T,
  ): Promise<Page<EventSummaryAnswer | T>> {
    const { page: _, limit: __, view, around, cursor, ...filters } = query;
    const given = presentFilters(filters);
    const before = cursor === undefined ? undefined : placeOf(scope, given, cursor);
    if (before !== undefined && around !== undefined) throw refused('can’t go with around');
    const filter = before === undefined ? given : { ...given, before };
    const show: (event: EventSummary) => EventSummaryAnswer | T =
      view === 'summary' ? eventSummaryView : item;
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

  return routesOf(EVENT_LIST_CALLS, {
    'GET /api/events': (context) =>
      list(scopeOf(context.principal), context.query, context, (event) => ({
        ...eventListItem(event),
        endpoint_id: event.endpointId,
      })),
    'GET /api/endpoints/{id}/events': (context) =>
      list({ endpointKeys: [context.endpoint.key] }, context.query, context, eventListItem),
  });
}
