import type { CallParams } from '../../api/client/typed-call.ts';
import type { EventHeadAnswer } from '../../api/events/event-answer.ts';
import type { ApiClient } from './api-client.ts';

/** Throws `event_not_found`. */
export async function eventParams(
  client: ApiClient,
  eventId: string,
): Promise<CallParams<'GET /api/endpoints/{id}/events/{eventId}'>> {
  return { id: (await eventHead(client, eventId)).endpoint_id, eventId };
}

/** Throws `event_not_found`. */
export function eventHead(
  client: Pick<ApiClient, 'call'>,
  eventId: string,
): Promise<EventHeadAnswer> {
  return client.call('GET /api/events/{eventId}', { params: { eventId }, as: 'head' });
}
