import type { EventSummaryAnswer } from '../../api/events/event-answer.ts';
import { eventRequests } from './early-requests.ts';
import { live, session } from './page.ts';

/** The largest body that is prefetched, bytes. */
const SMALL_BYTES = 64 * 1024;

/** Paths of prefetched events, by event id. */
const asked = new Map<string, string[]>();

/**
 * Prefetches the event that a user probably opens next. A new attempt of that event deletes the
 * prefetched answers, because they would show a stale state.
 */
export function loadAhead(event: EventSummaryAnswer | undefined): void {
  if (!event || event.size > SMALL_BYTES) return;
  const paths = eventRequests(event.endpoint_id, event.id);
  asked.set(event.id, paths);
  for (const path of paths) session.early.ask(path);
}

function forget(eventId: string): void {
  for (const path of asked.get(eventId) ?? []) session.early.forget(path);
  asked.delete(eventId);
}

live.subscribe((stream) => {
  stream?.subscribe((news) => {
    if (news.kind === 'attempt') forget(news.attempt.event_id);
    else if (news.kind === 'resync') for (const id of [...asked.keys()]) forget(id);
  });
});
