import type { EndpointAnswer } from '../../../api/endpoints/endpoint-answer.ts';
import type { EventSummaryAnswer } from '../../../api/events/event-answer.ts';
import { useNow } from '../../parts/hooks/use-now.ts';
import { Problem } from '../../parts/problem.tsx';
import { EventActions } from './event-actions.tsx';
import { EventHead } from './event-head.tsx';
import { EventTabs, useTabShortcuts } from './event-tabs.tsx';
import { useEvent } from './use-event.ts';
import { useReplay } from './use-replay.ts';

interface EventDetailProps {
  endpoint: EndpointAnswer;
  eventId: string;
  /** The event's row in the list. It fills the head while the event loads. */
  row?: EventSummaryAnswer | undefined;
  neighbours: { newer: boolean; older: boolean };
  onMove(step: number): void;
  onClose(): void;
  onDeleted(): void;
}

const MOVES = [
  { step: -1, to: 'newer', label: 'Newer event', title: 'k', mark: '↑' },
  { step: 1, to: 'older', label: 'Older event', title: 'j', mark: '↓' },
] as const;

export function EventDetailView(props: EventDetailProps) {
  const { endpoint, eventId, row, onMove, onClose, onDeleted, neighbours } = props;
  const { value: loaded, error, reload } = useEvent(endpoint.id, eventId, row?.size);
  const [isReplaying, replay] = useReplay({ endpointId: endpoint.id, eventId }, reload);
  const event = loaded?.event ?? null;
  useTabShortcuts(event === null || event.query !== '');
  const isGone = error?.code === 'event_not_found';
  const summary = isGone ? undefined : (event ?? row);
  const now = useNow(event?.deliveries.some(({ state }) => state === 'pending') ?? false);
  return (
    <section class="detail" aria-label="Event" aria-busy={!loaded && !error}>
      <div class="detail-nav">
        <button
          type="button"
          class="quiet"
          onClick={onClose}
          aria-label="Close the event"
          title="Esc"
        >
          ✕
        </button>
        <span class="mono muted cut">{eventId}</span>
        <span class="fill" />
        {MOVES.map(({ step, to, label, title, mark }) => (
          <button
            key={to}
            type="button"
            class="quiet"
            onClick={() => onMove(step)}
            disabled={!neighbours[to]}
            aria-label={label}
            title={title}
          >
            {mark}
          </button>
        ))}
      </div>
      {isGone && <Gone onBack={onDeleted} />}
      {error && !isGone && <Problem error={error} retry={reload} />}
      {summary && (
        <>
          <EventHead summary={summary} event={event} now={now} />
          <EventActions
            endpoint={endpoint}
            eventId={eventId}
            event={event}
            isReplaying={isReplaying}
            onReplay={replay}
            onChanged={reload}
            onDeleted={onDeleted}
          />
        </>
      )}
      {loaded && !isGone ? (
        <EventTabs
          endpointId={endpoint.id}
          event={loaded.event}
          attempts={loaded.attempts}
          now={now}
          onReplay={replay}
          onChanged={reload}
        />
      ) : (
        !error && <div class="event-loading" role="status" aria-label="Loading the event" />
      )}
    </section>
  );
}

function Gone({ onBack }: { onBack(): void }) {
  return (
    <div class="empty" role="alert">
      <p>This event is gone: it was deleted, or its retention has ended.</p>
      <button type="button" onClick={onBack}>
        Back to the events
      </button>
    </div>
  );
}
