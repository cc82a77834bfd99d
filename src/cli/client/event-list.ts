import type { EventSummary } from '../../api/answers/event.ts';
import type { Page } from '../../api/answers/page.ts';
import type { Query } from '../../api/client/typed-call.ts';
import type { ApiClient } from './api-client.ts';

/** What a list of events may be asked for. */
export type EventQuery = Omit<Query<'GET /api/events'>, 'view'>;

/**
 * Gets a page of a list of events.
 *
 * @param waitingFor what the progress says; the server's name by default
 */
export type EventList = (query: EventQuery, waitingFor?: string) => Promise<Page<EventSummary>>;

/** @param endpointId null for the events of all endpoints */
export function eventListOf(client: ApiClient, endpointId: string | null): EventList {
  return (given, waitingFor) => {
    const query = { ...given, view: 'summary' as const };
    const how = waitingFor === undefined ? {} : { waitingFor };
    return endpointId === null
      ? client.call('GET /api/events', { query, ...how })
      : client.call('GET /api/endpoints/{id}/events', {
          params: { id: endpointId },
          query,
          ...how,
        });
  };
}
