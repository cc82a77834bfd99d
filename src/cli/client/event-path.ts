import type { ApiClient } from './api-client.ts';

/** The API's path of an event, looked up by its id. Throws `event_not_found`. */
export async function eventPath(client: ApiClient, eventId: string): Promise<string> {
  const event = await client.call('GET /api/events/{eventId}', { params: { eventId }, as: 'head' });
  return `/api/endpoints/${event.endpoint_id}/events/${eventId}`;
}
