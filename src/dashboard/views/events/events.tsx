import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { EndpointAnswer } from '../../../api/endpoints/endpoint-answer.ts';
import type { EventSummaryAnswer } from '../../../api/events/event-answer.ts';
import { counted } from '../../../core/text/words.ts';
import { loadAhead } from '../../model/event-ahead.ts';
import { filterOf } from '../../model/list-filter.ts';
import { tell } from '../../model/page.ts';
import { eventPath, navigate, place, withQuery } from '../../model/router.ts';
import { useShortcuts } from '../../model/shortcuts.ts';
import { lazy } from '../../parts/lazy.tsx';
import { Problem } from '../../parts/problem.tsx';
import { ChosenBar } from './chosen-bar.tsx';
import { ChosenEvents } from './chosen-events.ts';
import { EventRows } from './event-rows.tsx';
import { FilterBar } from './filter-bar.tsx';
import { fieldOf } from './filter-fault.ts';
import { ListHead } from './list-head.tsx';
import { NoEvents } from './no-events.tsx';
import { OpenEvent, prepareOpenEvent } from './open-event.tsx';
import { Reach } from './reach.tsx';
import { useCursor } from './use-cursor.ts';
import { useEventList } from './use-event-list.ts';

/** The page preloads code after this idle time, ms. */
const IDLE_MS = 500;
/** The delay before the next event is prefetched, ms. The open event loads first. */
const AHEAD_MS = 100;

const ReplayMany = lazy(async () => (await import('../replay/replay-many.tsx')).ReplayMany);

interface EventsProps {
  /** Null for the events of all endpoints. */
  endpoint: EndpointAnswer | null;
  /** The open event. */
  eventId: string | null;
}

/** Shows a list of events with its filter, and the open event beside the list. */
export function Events({ endpoint, eventId }: EventsProps) {
  const at = place.value;
  const { list, shown } = useEventList(endpoint?.id ?? null);
  const path = endpoint === null ? '/events' : `/endpoints/${endpoint.id}`;
  const [isReplaying, setReplaying] = useState(false);
  const [isAtTop, setAtTop] = useState(true);
  const chosen = useMemo(() => new ChosenEvents(), [list]);
  const section = useRef<HTMLElement>(null);

  const open = useCallback(
    (event: EventSummaryAnswer) => {
      const { query } = place.value;
      const to =
        endpoint === null
          ? withQuery({ path, query }, { event: event.id })
          : withQuery({ path: eventPath(event.endpoint_id, event.id), query });
      // The browser's Back leads to the list, and not through all opened events.
      navigate(to, { replace: eventId !== null });
    },
    [endpoint === null, path, eventId],
  );
  const cursor = useCursor({ list: shown, eventId, open });
  const close = () => navigate(withQuery({ ...place.value, path }, { event: null }));
  const onDeleted = () => {
    close();
    list.refreshHead();
  };

  useEffect(() => {
    const timer = setTimeout(prepareOpenEvent, eventId === null ? IDLE_MS : 0);
    return () => clearTimeout(timer);
  }, []);
  // Prefetch the next event in the direction of the last step.
  const direction = useRef(1);
  useEffect(() => {
    if (eventId === null || cursor.index === -1) return;
    const timer = setTimeout(
      () => loadAhead(shown.row(cursor.index + direction.current)),
      AHEAD_MS,
    );
    return () => clearTimeout(timer);
  }, [shown, eventId, cursor.index === -1]);
  const onClick = (event: EventSummaryAnswer, click: MouseEvent) => {
    // The browser opens the link in another tab or window.
    if (click.ctrlKey || click.metaKey || click.altKey) return;
    click.preventDefault();
    if (click.shiftKey) extendTo(event);
    else open(event);
  };
  const extendTo = (event: EventSummaryAnswer) => {
    const missing = chosen.extendTo(event, shown);
    if (missing > 0) tell(`${counted(missing, 'row')} of the span aren’t loaded, so aren’t chosen`);
  };
  const onChoose = (event: EventSummaryAnswer, click: MouseEvent) =>
    click.shiftKey ? extendTo(event) : chosen.toggle(event);
  const toggle = () => {
    const event = shown.row(cursor.index);
    if (event) chosen.toggle(event);
  };
  const focusList = () => {
    const { activeElement: active } = document;
    if (active !== document.body && !section.current?.contains(active)) return;
    section.current?.querySelector<HTMLElement>('[role=listbox]')?.focus({ preventScroll: true });
  };
  const step = (rows: number) => {
    direction.current = Math.sign(rows);
    focusList();
    cursor.move(rows);
  };
  useShortcuts([
    { keys: 'j', title: 'Next (older) event', group: 'Events', run: () => step(1) },
    { keys: 'k', title: 'Previous (newer) event', group: 'Events', run: () => step(-1) },
    { keys: 'x', title: 'Choose the event', group: 'Events', run: toggle },
    {
      keys: 'Escape',
      title: 'Close the event, or end the choice',
      group: 'Events',
      run: () => (eventId === null ? chosen.clear() : close()),
    },
    {
      keys: '.',
      title: 'Back to the newest, and follow',
      group: 'Events',
      run: () => cursor.show(0),
    },
  ]);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.altKey) return;
    if (event.ctrlKey || event.metaKey) {
      if (event.key !== 'a') return;
      event.preventDefault();
      chosen.add(shown.loaded());
      return;
    }
    const { clientHeight } = event.currentTarget as HTMLElement;
    const to = cursor.keys(clientHeight)[event.key];
    if (to === undefined && event.key !== ' ') return;
    event.preventDefault();
    if (to === undefined) toggle();
    else {
      direction.current = to < cursor.index ? -1 : 1;
      cursor.go(to);
    }
  };

  // The filter's field shows such an error itself.
  const isOfField = list.error !== null && fieldOf(list.error, filterOf(at, 0)) !== null;
  const { reach } = shown.search;
  const isEmpty = shown.isLoaded && shown.total === 0 && (!reach || reach.state === 'done');
  return (
    <div class="split">
      <section class="list" aria-label="Events" ref={section}>
        {endpoint === null && <h1 class="off-screen">Events</h1>}
        <FilterBar endpointId={endpoint?.id ?? null} path={path} error={list.error} />
        {chosen.byId.value.size > 0 ? (
          <ChosenBar chosen={chosen} total={shown.total} onChanged={() => list.refreshHead()} />
        ) : (
          <ListHead
            list={shown}
            isFollowing={isAtTop}
            onReplay={endpoint && (() => setReplaying(true))}
          />
        )}
        {reach && <Reach search={shown.search} reach={reach} />}
        {list.error && !isOfField && (
          <Problem error={list.error} retry={() => list.refreshHead()} />
        )}
        {isEmpty ? (
          <NoEvents endpoint={endpoint} />
        ) : (
          <EventRows
            key={shown.id}
            list={shown}
            isLoading={list !== shown}
            isOfAll={endpoint === null}
            eventId={eventId}
            cursor={cursor}
            chosen={chosen}
            isAtTop={isAtTop}
            onTop={setAtTop}
            onKeyDown={onKeyDown}
            onPress={loadAhead}
            onClick={onClick}
            onChoose={onChoose}
          />
        )}
      </section>
      {eventId !== null && (
        <OpenEvent
          key={eventId}
          endpoint={endpoint}
          eventId={eventId}
          row={shown.row(cursor.index)}
          onClose={close}
          onDeleted={onDeleted}
          onMove={cursor.move}
          neighbours={{
            newer: cursor.index > 0,
            older: cursor.index !== -1 && cursor.index < shown.total - 1,
          }}
        />
      )}
      {isReplaying && endpoint && (
        <ReplayMany
          endpoint={endpoint}
          filter={filterOf(at, Date.now())}
          onClose={() => setReplaying(false)}
        />
      )}
    </div>
  );
}
