import type { Attempt } from '../../api/answers/attempt.ts';
import type { Endpoint } from '../../api/answers/endpoint.ts';
import type { Replayed } from '../../api/answers/replay.ts';
import { act, loadEvent, session, tell } from '../model/page.ts';
import { eventPath, navigate, place, withQuery } from '../model/router.ts';
import { useShortcuts } from '../model/shortcuts.ts';
import { BodyView } from '../parts/body-view.tsx';
import { copyText } from '../parts/copy-button.tsx';
import { FieldTable } from '../parts/field-table.tsx';
import { Problem } from '../parts/problem.tsx';
import { StatusBadge } from '../parts/status.tsx';
import { useLoaded } from '../parts/use-loaded.ts';
import { useReloadOnNews } from '../parts/use-reload-on-news.ts';
import type { EventDetail } from '../text/event-answer.ts';
import { whatText } from '../text/events/event-facts.ts';
import { fullTimeText, sizeText } from '../text/format.ts';
import { requestUrl } from '../text/request-url.ts';
import { toCurl } from '../text/to-curl.ts';
import { AiPanel } from './ai-panel.tsx';
import { Deliveries } from './endpoint/deliveries.tsx';
import { EventActions } from './event-actions.tsx';
import { EventProof } from './proof/event-proof.tsx';
import { doneText } from './replay/replay-target.ts';

/** Delay between news of an event and its reload, ms. */
const REST_MS = 150;

const TABS = ['body', 'headers', 'query', 'deliveries', 'ai'] as const;
type DetailTab = (typeof TABS)[number];

interface EventDetailProps {
  endpoint: Endpoint;
  eventId: string;
  neighbours: { newer: boolean; older: boolean };
  onMove(step: number): void;
  onClose(): void;
  onDeleted(): void;
}

/** An event with its attempts, reloaded when the stream reports a new attempt. */
function useEvent(endpointId: string, eventId: string) {
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

export function EventDetailView(props: EventDetailProps) {
  const { endpoint, eventId, onMove, onClose, onDeleted, neighbours } = props;
  const { value: loaded, error, reload } = useEvent(endpoint.id, eventId);
  const isGone = error?.code === 'event_not_found';
  return (
    <section class="detail" aria-label="Event">
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
        <button
          type="button"
          class="quiet"
          onClick={() => onMove(-1)}
          disabled={!neighbours.newer}
          aria-label="Newer event"
          title="k"
        >
          ↑
        </button>
        <button
          type="button"
          class="quiet"
          onClick={() => onMove(1)}
          disabled={!neighbours.older}
          aria-label="Older event"
          title="j"
        >
          ↓
        </button>
      </div>
      {isGone && <Gone onBack={onDeleted} />}
      {error && !isGone && <Problem error={error} retry={reload} />}
      {!loaded && !error && <p class="waiting">Loading …</p>}
      {loaded && !isGone && (
        <Detail endpoint={endpoint} {...loaded} onChanged={reload} onDeleted={onDeleted} />
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

interface DetailProps {
  endpoint: Endpoint;
  event: EventDetail;
  attempts: Attempt[];
  onChanged(): void;
  onDeleted(): void;
}

function Detail({ endpoint, event, attempts, onChanged, onDeleted }: DetailProps) {
  const at = place.value;
  const asked = at.query.get('tab');
  const tab = TABS.find((one) => one === asked) ?? 'body';
  const open = (to: DetailTab) =>
    navigate(withQuery(at, { tab: to === 'body' ? null : to }), { replace: true });
  const curl = () =>
    toCurl({
      url: requestUrl(endpoint.capture_url, event),
      method: event.method,
      rawHeaders: event.raw_headers,
      bytes: event.bytes,
      text: event.text,
    });
  const replay = async () => {
    await act(async () => {
      const path = `/api/endpoints/${endpoint.id}/events/${event.id}/replay`;
      const { deliveries } = await session.call<Replayed>('POST', path);
      tell(doneText({ to: 'all' }, deliveries));
    });
    // A refusal may mean that the event is gone.
    onChanged();
  };
  useShortcuts([
    { keys: 'r', title: 'Replay the event', group: 'Event', run: () => void replay() },
    {
      keys: 'c',
      title: 'Copy the event as curl',
      group: 'Event',
      run: () => void copyText(curl()).then(() => tell('The curl command is copied')),
    },
    ...(['b', 'h', 'q', 'd', 'a'] as const).map((keys, i) => ({
      keys,
      title: `Show ${TAB_TITLES[TABS[i] as DetailTab]}`,
      group: 'Event',
      run: () => open(TABS[i] as DetailTab),
    })),
  ]);
  const count: Partial<Record<DetailTab, number>> = {
    headers: event.raw_headers.length,
    deliveries: attempts.length,
  };
  const query = [...new URLSearchParams(event.query)];
  return (
    <>
      <div class="summary">
        <h2>
          <span class={`method is-${event.method.toLowerCase()}`}>{event.method}</span>{' '}
          {whatText(event)}
        </h2>
        <StatusBadge status={event.status} />
        <p class="muted">
          {fullTimeText(event.received_at)} · {sizeText(event.size)}
          {event.content_type !== null && ` · ${event.content_type}`} · from {event.source_ip}
        </p>
        <EventProof event={event} />
        {event.edited_from !== null && (
          <p>
            edited copy of{' '}
            <a class="mono" href={eventPath(endpoint.id, event.edited_from)}>
              {event.edited_from}
            </a>
          </p>
        )}
      </div>
      <EventActions
        endpoint={endpoint}
        event={event}
        curl={curl}
        onReplay={replay}
        onChanged={onChanged}
        onDeleted={onDeleted}
      />
      <nav class="tabs" aria-label="Event">
        {TABS.filter((one) => one !== 'query' || event.query !== '').map((one) => (
          <button
            key={one}
            type="button"
            aria-current={one === tab ? 'page' : undefined}
            onClick={() => open(one)}
          >
            {TAB_TITLES[one]}
            {count[one] ? <span class="count">{count[one]}</span> : null}
          </button>
        ))}
      </nav>
      <div class="detail-body">
        {tab === 'body' && <BodyView event={event} />}
        {tab === 'headers' && (
          <FieldTable
            fields={event.raw_headers.map(([name, value]) => ({ name, value, note: null }))}
          />
        )}
        {tab === 'query' && (
          <>
            <p class="mono wrap">?{event.query}</p>
            <FieldTable fields={query.map(([name, value]) => ({ name, value, note: null }))} />
          </>
        )}
        {tab === 'deliveries' && (
          <Deliveries
            event={event}
            attempts={attempts}
            endpointId={endpoint.id}
            onReplay={replay}
            onChanged={onChanged}
          />
        )}
        {tab === 'ai' && <AiPanel endpointId={endpoint.id} event={event} />}
      </div>
    </>
  );
}

const TAB_TITLES: Record<DetailTab, string> = {
  body: 'Body',
  headers: 'Headers',
  query: 'Query',
  deliveries: 'Deliveries',
  ai: 'AI',
};
