import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { EventSummaryAnswer } from '../../../api/events/event-answer.ts';
import { formatCount } from '../../../core/text/words.ts';
import { session } from '../../model/page.ts';
import { eventPath } from '../../model/router.ts';
import { Foreign } from '../../parts/foreign.tsx';
import { useLoaded } from '../../parts/hooks/use-loaded.ts';
import { Time } from '../../parts/time.tsx';

/** How many events are shown at first and added by each step. */
const STEP = 8;

interface TriedEventsProps {
  label: string;
  endpointId: string;
  events: readonly { event_id: string; outcome: ComponentChildren }[];
  /** How many such events exist. `events` may contain fewer. */
  total: number;
}

/** Shows the events that a filter was tried on, with their outcomes. */
export function TriedEvents({ label, endpointId, events, total }: TriedEventsProps) {
  const [most, setMost] = useState(STEP);
  const shown = events.slice(0, most);
  return (
    <>
      <ol class="tried-events" aria-label={label}>
        {shown.map(({ event_id, outcome }) => (
          <li key={event_id}>
            <a href={eventPath(endpointId, event_id)} class="tried-event">
              <span class="tried-outcome">{outcome}</span>
              <TriedEvent endpointId={endpointId} eventId={event_id} />
            </a>
          </li>
        ))}
      </ol>
      {total > shown.length && (
        <p class="muted">
          and {formatCount(total - shown.length)} more
          {events.length > shown.length && (
            <>
              {' · '}
              <button type="button" class="link" onClick={() => setMost(most + STEP)}>
                show {Math.min(STEP, events.length - shown.length)}
              </button>
            </>
          )}
        </p>
      )}
    </>
  );
}

/**
 * Summaries by event id. Later trials reuse them, because an event's type and path never change.
 */
const known = new Map<string, EventSummaryAnswer>();
/** The largest number of kept summaries. */
const MAX_KNOWN = 500;

/** Loads an event's summary. Returns null if the event no longer exists. */
async function loadSummary(
  endpointId: string,
  eventId: string,
  signal: AbortSignal,
): Promise<EventSummaryAnswer | null> {
  const found = known.get(eventId);
  if (found) return found;
  const { data } = await session.call('GET /api/endpoints/{id}/events', {
    params: { id: endpointId },
    query: { around: eventId, limit: 1, view: 'summary' },
    signal,
  });
  const summary = data.find(({ id }) => id === eventId);
  if (!summary) return null;
  if (known.size >= MAX_KNOWN) known.clear();
  known.set(eventId, summary);
  return summary;
}

function TriedEvent({ endpointId, eventId }: { endpointId: string; eventId: string }) {
  const { value } = useLoaded(eventId, (signal) => loadSummary(endpointId, eventId, signal));
  const event = value ?? known.get(eventId);
  if (!event) return <span class="tried-what mono muted">{eventId}</span>;
  const { event_type, method, path, received_at } = event;
  return (
    <>
      <span class="tried-what">
        {event_type !== null && (
          <>
            <strong>
              <Foreign text={event_type} />
            </strong>{' '}
          </>
        )}
        <Foreign class="mono muted" text={`${method} ${path === '' ? '/' : path}`} />
      </span>
      <Time at={received_at} class="muted" />
    </>
  );
}
