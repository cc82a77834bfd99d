import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Endpoint } from '../../api/answers/endpoint.ts';
import type { EventSummary } from '../../api/answers/event.ts';
import { EventList } from '../model/event-list.ts';
import { live, session } from '../model/page.ts';
import { eventPath, navigate, place, withQuery } from '../model/router.ts';
import { useShortcuts } from '../model/shortcuts.ts';
import { Problem } from '../parts/problem.tsx';
import { VirtualList } from '../parts/virtual-list.tsx';
import { fieldOf } from '../text/filter-fault.ts';
import { countText, plural } from '../text/format.ts';
import { FirstEvent } from './endpoint/first-event.tsx';
import { EventDetailView } from './event/event-detail.tsx';
import { EventFilterBar, filterOf, isFiltered } from './event-filter.tsx';
import { EventRow, ROW_HEIGHT_PX, rowId } from './event-row.tsx';
import { ReplayMany } from './replay/replay-many.tsx';

/** Deadline of a list, ms: longer than the 30 s that the server searches with a rule. */
const LIST_TIMEOUT_MS = 40_000;

interface EventsProps {
  endpoint: Endpoint;
  eventId: string | null;
}

/** An `EventList` that follows the live stream. */
function useEventList(endpoint: Endpoint): EventList {
  const at = place.value;
  const stream = live.value;
  // Opening an event changes the path and not the filter, so the list stays.
  const key = JSON.stringify([...at.query].filter(([name]) => name !== 'tab'));
  const list = useMemo(
    () =>
      new EventList(
        (query, signal) =>
          session.call('GET', `/api/endpoints/${endpoint.id}/events${query}`, {
            signal,
            timeoutMs: LIST_TIMEOUT_MS,
          }),
        filterOf(at, Date.now()),
      ),
    [endpoint.id, key],
  );
  useEffect(() => () => list.close(), [list]);
  useEffect(
    () =>
      stream?.subscribe((news) => {
        if (news.kind === 'resync') list.resync();
        else if (news.kind === 'attempt') list.onAttempt(news.attempt);
        else if (news.event.endpoint_id === endpoint.id) list.onArrival();
      }),
    [stream, list, endpoint.id],
  );
  void list.version.value;
  return list;
}

export function Events({ endpoint, eventId }: EventsProps) {
  const at = place.value;
  const list = useEventList(endpoint);
  const [isAtTop, setAtTop] = useState(true);
  const [reveal, setReveal] = useState<{ index: number; stamp: number } | null>(null);
  const [isReplaying, setReplaying] = useState(false);
  /** The total when the newest row was last in view. */
  const seen = useRef(0);
  if (isAtTop || seen.current > list.total) seen.current = list.total;
  const unseen = list.total - seen.current;
  const show = (index: number) => setReveal({ index, stamp: Date.now() + Math.random() });

  const select = useCallback((event: EventSummary) => {
    const path = eventPath(event.endpoint_id, event.id);
    navigate(withQuery({ ...place.value, path }));
  }, []);
  const selected = eventId === null ? -1 : list.indexOf(eventId);
  const move = (step: number) => {
    const index = Math.min(list.total - 1, Math.max(0, selected === -1 ? 0 : selected + step));
    const event = list.row(index);
    show(index);
    if (event) select(event);
  };
  const close = () => navigate(withQuery({ ...place.value, path: `/endpoints/${endpoint.id}` }));
  const onDeleted = () => {
    close();
    list.refreshHead();
  };
  useShortcuts([
    { keys: 'j', title: 'Next (older) event', group: 'Events', run: () => move(1) },
    { keys: 'k', title: 'Previous (newer) event', group: 'Events', run: () => move(-1) },
    { keys: 'Escape', title: 'Close the event', group: 'Events', run: close },
    { keys: '.', title: 'Back to the newest, and follow', group: 'Events', run: () => show(0) },
  ]);
  const onKeyDown = (event: KeyboardEvent) => {
    const steps: Record<string, number> = {
      ArrowDown: 1,
      ArrowUp: -1,
      PageDown: 10,
      PageUp: -10,
      Home: -list.total,
      End: list.total,
    };
    const step = steps[event.key];
    if (step === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    move(step);
  };
  const onRange = useCallback((first: number, last: number) => list.want(first, last), [list]);

  // The field shows it.
  const isOfField = list.error !== null && fieldOf(list.error, filterOf(at, 0)) !== null;
  const isEmpty = list.isLoaded && list.total === 0;
  return (
    <div class="split">
      <section class="list" aria-label="Events">
        <EventFilterBar at={at} error={list.error} />
        <div class="list-head">
          <span role="status">
            {list.isLoaded
              ? plural(
                  list.total,
                  isFiltered(at) ? 'match' : 'event',
                  isFiltered(at) ? 'matches' : 'events',
                )
              : !list.error && 'Loading …'}
          </span>
          <span class="fill" />
          {list.isLoaded && !isAtTop && <span class="muted">not following</span>}
          {list.total > 0 && (
            <button type="button" class="quiet" onClick={() => setReplaying(true)}>
              Replay {isFiltered(at) ? 'these' : 'all'} …
            </button>
          )}
        </div>
        {list.error && !isOfField && (
          <Problem error={list.error} retry={() => list.refreshHead()} />
        )}
        {isEmpty ? (
          isFiltered(at) ? (
            <p class="empty">Nothing matches.</p>
          ) : (
            <FirstEvent endpoint={endpoint} />
          )
        ) : (
          <div class="list-box">
            {!isAtTop && unseen > 0 && (
              <button type="button" class="unseen" onClick={() => show(0)}>
                ↑ {countText(unseen)} new
              </button>
            )}
            <VirtualList
              key={list.id}
              count={list.total}
              rowHeight={ROW_HEIGHT_PX}
              label="Events, newest first"
              activeId={eventId !== null && selected !== -1 ? rowId(eventId) : undefined}
              onRange={onRange}
              onTop={setAtTop}
              onKeyDown={onKeyDown}
              reveal={reveal}
              row={(index) => (
                <EventRow
                  key={list.row(index)?.id ?? `blank-${index}`}
                  event={list.row(index)}
                  index={index}
                  count={list.total}
                  isSelected={list.row(index)?.id === eventId}
                  isNew={list.isNew(index)}
                  isProven={endpoint.source !== null}
                  onSelect={select}
                />
              )}
            />
          </div>
        )}
      </section>
      {eventId !== null ? (
        <EventDetailView
          key={eventId}
          endpoint={endpoint}
          eventId={eventId}
          row={list.row(selected)}
          onClose={close}
          onDeleted={onDeleted}
          onMove={move}
          neighbours={{ newer: selected > 0, older: selected !== -1 && selected < list.total - 1 }}
        />
      ) : (
        !isEmpty && (
          <div class="detail is-empty">
            <p class="muted">
              Choose an event, or press <kbd>j</kbd>. <kbd>?</kbd> shows all keys.
            </p>
          </div>
        )
      )}
      {isReplaying && (
        <ReplayMany
          endpoint={endpoint}
          filter={filterOf(at, Date.now())}
          onClose={() => setReplaying(false)}
        />
      )}
    </div>
  );
}
