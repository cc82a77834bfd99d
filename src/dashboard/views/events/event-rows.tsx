import { useCallback, useRef } from 'preact/hooks';
import type { EventSummaryAnswer } from '../../../api/events/event-answer.ts';
import { formatCount } from '../../../core/text/words.ts';
import type { EventList } from '../../model/event-list.ts';
import { endpoints } from '../../model/page.ts';
import { eventPath, place, withQuery } from '../../model/router.ts';
import { useMedia } from '../../parts/hooks/use-media.ts';
import { VirtualList } from '../../parts/virtual-list.tsx';
import type { ChosenEvents } from './chosen-events.ts';
import { EventRow, ROW_HEIGHT_PX, RowHeads, rowId, TALL_ROW_HEIGHT_PX } from './event-row.tsx';
import type { Cursor } from './use-cursor.ts';

/** The largest width for rows with two lines. The style sheet has the same width. */
const PHONE = '(max-width: 600px)';

interface EventRowsProps {
  list: EventList;
  /** Whether the list of another filter is loading. */
  isLoading: boolean;
  isOfAll: boolean;
  eventId: string | null;
  cursor: Cursor;
  chosen: ChosenEvents;
  isAtTop: boolean;
  onTop(isAtTop: boolean): void;
  onKeyDown(event: KeyboardEvent): void;
  onPress(event: EventSummaryAnswer): void;
  onClick(event: EventSummaryAnswer, click: MouseEvent): void;
  onChoose(event: EventSummaryAnswer, click: MouseEvent): void;
}

/** Shows a list's headings and rows, and how many events arrived above the view. */
export function EventRows(props: EventRowsProps) {
  const { list, isLoading, isOfAll, eventId, cursor, chosen, isAtTop } = props;
  const isPhone = useMedia(PHONE);
  /** The list's total when the newest row was last in view. */
  const seen = useRef(list.total);
  // A continued search adds older events, which aren't new arrivals.
  if (isAtTop || seen.current > list.total || list.search.reach) seen.current = list.total;
  const unseen = list.total - seen.current;
  const onRange = useCallback(
    (first: number, last: number, ahead: number) => list.want(first, last, ahead),
    [list],
  );
  // These functions stay the same objects, because a changed property redraws the row.
  const latest = useRef(props);
  latest.current = props;
  const onClick = useCallback<EventRowsProps['onClick']>(
    (event, click) => latest.current.onClick(event, click),
    [],
  );
  const onChoose = useCallback<EventRowsProps['onChoose']>(
    (event, click) => latest.current.onChoose(event, click),
    [],
  );
  const byId = new Map(endpoints.value?.map((endpoint) => [endpoint.id, endpoint]));
  const ids = chosen.byId.value;
  const hrefOf = addresses(isOfAll);
  return (
    <div
      class={`list-box${isOfAll ? ' is-of-all' : ''}${ids.size > 0 ? ' is-choosing' : ''}${isLoading ? ' is-loading' : ''}`}
      aria-busy={isLoading}
    >
      <RowHeads withEndpoint={isOfAll} />
      {!isAtTop && unseen > 0 && (
        <button type="button" class="unseen" onClick={() => cursor.show(0)}>
          ↑ {formatCount(unseen)} new
        </button>
      )}
      <VirtualList
        count={list.total}
        rowHeight={isPhone ? TALL_ROW_HEIGHT_PX : ROW_HEIGHT_PX}
        label="Events, newest first"
        activeId={eventId !== null && cursor.index !== -1 ? rowId(eventId) : undefined}
        onRange={onRange}
        onTop={props.onTop}
        onKeyDown={props.onKeyDown}
        reveal={cursor.reveal}
        row={(index) => {
          const event = list.row(index);
          const endpoint = event && byId.get(event.endpoint_id);
          return (
            <EventRow
              // A key counted from the oldest event doesn't change when new events arrive.
              key={list.total - index}
              event={event}
              index={index}
              count={list.total}
              href={event ? hrefOf(event) : ''}
              endpointName={isOfAll ? (endpoint?.name ?? '') : null}
              isSelected={event !== undefined && event.id === eventId}
              isChosen={event !== undefined && ids.has(event.id)}
              isNew={list.isNew(index)}
              isProven={endpoint?.source != null}
              onPress={props.onPress}
              onClick={onClick}
              onChoose={onChoose}
            />
          );
        }}
      />
    </div>
  );
}

/**
 * Returns a function that makes event addresses. Reads the filter once, because each frame draws
 * many rows.
 */
function addresses(isOfAll: boolean): (event: EventSummaryAnswer) => string {
  const { query } = place.value;
  if (!isOfAll) {
    const rest = withQuery({ path: '', query });
    return (event) => eventPath(event.endpoint_id, event.id) + rest;
  }
  const rest = withQuery({ path: '/events', query }, { event: null });
  const begin = `${rest}${rest.includes('?') ? '&' : '?'}event=`;
  return (event) => begin + encodeURIComponent(event.id);
}
