import { useEffect, useRef, useState } from 'preact/hooks';
import type { EventSummaryAnswer } from '../../../api/events/event-answer.ts';
import type { EventList } from '../../model/event-list.ts';
import { ROW_HEIGHT_PX } from './event-row.tsx';

interface CursorOptions {
  list: EventList;
  /** The open event. Its row has the cursor. */
  eventId: string | null;
  open(event: EventSummaryAnswer): void;
}

/** The cursor of a list, which is at the row of the open event. */
export interface Cursor {
  /** The row of the open event; -1 while the row is unknown. */
  index: number;
  reveal: { index: number; stamp: number } | null;
  /** Scrolls to a row. */
  show(index: number): void;
  /** Opens the event of a row once the row is fetched. */
  go(index: number): void;
  /** Moves the cursor down, or up if `rows` is negative. */
  move(rows: number): void;
  /** Returns the target row of each key. `height` is the list's height, pixels. */
  keys(height: number): Record<string, number>;
}

export function useCursor({ list, eventId, open }: CursorOptions): Cursor {
  const [reveal, setReveal] = useState({ list, index: -1, stamp: 0 });
  /** The place, from the oldest event, of a row that opens once it is fetched. */
  const awaited = useRef<number | null>(null);
  const stamp = useRef(0);
  /** The list and the event of the last scroll to an event. */
  const revealed = useRef('');
  const index = eventId === null ? -1 : list.indexOf(eventId);
  const show = (to: number) => setReveal({ list, index: to, stamp: ++stamp.current });

  const go = (to: number) => {
    if (list.total === 0) return;
    const target = Math.min(list.total - 1, Math.max(0, to));
    const event = list.row(target);
    show(target);
    awaited.current = event ? null : list.total - 1 - target;
    if (event) open(event);
  };
  const from = awaited.current === null ? index : list.total - 1 - awaited.current;
  const move = (rows: number) => {
    // The open event's row is still being fetched, so a step has no start.
    if (from === -1 && eventId !== null && list.isLocating(eventId)) return;
    go(from === -1 ? 0 : from + rows);
  };
  useEffect(() => {
    if (awaited.current === null) return;
    const event = list.row(list.total - 1 - awaited.current);
    if (!event) return;
    awaited.current = null;
    open(event);
  });
  // A link may lead to an event anywhere in the list.
  useEffect(() => {
    if (eventId === null || !list.isLoaded) return;
    const key = `${list.id} ${eventId}`;
    if (index === -1) list.locate(eventId);
    else if (revealed.current !== key) {
      // Scrolls there only once, because the user may scroll away before the row is fetched again.
      revealed.current = key;
      show(index);
    }
  }, [list, list.isLoaded, eventId, index === -1]);

  const keys = (height: number) => {
    const page = Math.max(1, Math.floor(height / ROW_HEIGHT_PX) - 1);
    const at = Math.max(0, from);
    return {
      ArrowDown: from + 1,
      ArrowUp: from - 1,
      PageDown: at + page,
      PageUp: at - page,
      Home: 0,
      End: list.total - 1,
    };
  };
  // A row number from another list means another event in this list.
  return { index, reveal: reveal.list === list ? reveal : null, show, go, move, keys };
}
