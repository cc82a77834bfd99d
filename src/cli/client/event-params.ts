import type { CallParams } from '../../api/client/typed-call.ts';
import type { ApiClient } from './api-client.ts';

/** The parameters of an event's path in the API. Looks its endpoint up. Throws `event_not_found`. */
export async function eventParams(
  client: ApiClient,
  eventId: string,
): Promise<CallParams<'GET /api/endpoints/{id}/events/{eventId}'>> {
  const event = await client.call('GET /api/events/{eventId}', { params: { eventId }, as: 'head' });
  return { id: event.endpoint_id, eventId };
}
