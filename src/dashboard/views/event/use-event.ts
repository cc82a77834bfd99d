import { useRef } from 'preact/hooks';
import { loadEvent, loadEventHead, session } from '../../model/page.ts';
import { useLoaded } from '../../parts/hooks/use-loaded.ts';
import { useReloadOnNews } from '../../parts/hooks/use-reload-on-news.ts';
import type { EventDetail } from '../../text/event-answer.ts';

/** The delay between news of an event and the event's reload, ms. */
const REST_MS = 150;

/**
 * Loads an event with its attempts. Loads both again when the stream reports a new attempt, but
 * loads the body only once, because the body never changes.
 *
 * @param size the body's size, bytes; undefined if unknown
 */
export function useEvent(endpointId: string, eventId: string, size: number | undefined) {
  const known = useRef<EventDetail | null>(null);
  const loaded = useLoaded(`${endpointId} ${eventId}`, async (signal) => {
    const load = async () => {
      const { bytes, text, id } = known.current ?? {};
      if (id !== eventId || bytes === undefined || text === undefined) {
        return loadEvent(endpointId, eventId, signal, size);
      }
      return { ...(await loadEventHead(endpointId, eventId, signal)), bytes, text };
    };
    const [event, attempts] = await Promise.all([
      load(),
      session.call('GET /api/endpoints/{id}/events/{eventId}/deliveries', {
        params: { id: endpointId, eventId },
        signal,
      }),
    ]);
    known.current = event;
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
