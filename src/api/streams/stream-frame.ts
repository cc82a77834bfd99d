import type { LiveItem } from '../../live/live.ts';
import type { LivePosition } from '../../store/contract/live.ts';
import type { SettledAttempt } from '../../store/contract/queue.ts';
import type { StreamedAttempt } from '../deliveries/attempt-answer.ts';
import { attemptView } from '../deliveries/delivery-view.ts';
import { eventSummaryView } from '../events/event-view.ts';
import { streamCursor } from './stream-cursor.ts';

/** Returns a server-sent event. `JSON.stringify` writes no line breaks, so the data is one line. */
export function streamFrame(event: string, id: string, data: object): string {
  return `event: ${event}\nid: ${id}\ndata: ${JSON.stringify(data)}\n\n`;
}

/** @param eventType the type of an event, from its headers or its body */
export function itemFrame(
  item: LiveItem,
  eventType: string | null,
  history: string,
  position: LivePosition,
): string {
  const data =
    item.kind === 'event'
      ? eventSummaryView({ ...item.event, eventType })
      : attemptData(item.settled);
  return streamFrame(item.kind, streamCursor(history, position), data);
}

export function attemptData({ attempt, eventStatus }: SettledAttempt): StreamedAttempt {
  return {
    ...attemptView(attempt),
    event_id: attempt.eventId,
    endpoint_id: attempt.endpointId,
    event_status: eventStatus,
  };
}
