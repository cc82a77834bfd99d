import type { Attempt } from '../../../api/answers/attempt.ts';
import { loadEvent, session } from '../../model/page.ts';
import { useLoaded } from '../../parts/hooks/use-loaded.ts';
import { useReloadOnNews } from '../../parts/hooks/use-reload-on-news.ts';

/** Delay between news of an event and its reload, ms. */
const REST_MS = 150;

/** An event with its attempts, reloaded when the stream reports a new attempt. */
export function useEvent(endpointId: string, eventId: string) {
  const loaded = useLoaded(`${endpointId} ${eventId}`, async (signal) => {
    const path = `/api/endpoints/${endpointId}/events/${encodeURIComponent(eventId)}/deliveries`;
    const [event, attempts] = await Promise.all([
      loadEvent(endpointId, eventId, signal),
      session.call<Attempt[]>('GET', path, { signal }),
    ]);
    return { event, attempts };
  });
  useReloadOnNews({
    key: eventId,
    concerns: (news) =>
      news.kind === 'resync' || (news.kind === 'attempt' && news.attempt.event_id === eventId),
    reload: loaded.reload,
    restMs: REST_MS,
  });
  return loaded;
}
