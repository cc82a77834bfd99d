import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { scaledHeight } from './scaled-height.ts';

/**
 * Rows drawn above and below the view. A scroll then shows fewer new rows in its first frame, and
 * after a change of direction.
 */
const OVERSCAN = 12;
/**
 * Rows are drawn this many frames ahead of a scroll. The browser scrolls before it draws new rows,
 * so rows that aren't drawn ahead would be blank.
 */
const FRAMES_AHEAD = 2;
const MAX_AHEAD = 90;
/** Rows are fetched this many frames ahead of a scroll, because a fetch takes half a second. */
const FETCH_FRAMES_AHEAD = 40;
const MAX_FETCH_AHEAD = 800;
/** A pause of this length separates two scrolls, ms. */
const REST_MS = 200;

interface VirtualListProps {
  count: number;
  rowHeight: number;
  label: string;
  /** The id of the active row's element. */
  activeId: string | undefined;
  /**
   * Called with the rows in view. `ahead` is how many more rows a scroll will soon reach: positive
   * for rows below, negative for rows above.
   */
  onRange(first: number, last: number, ahead: number): void;
  /** Reports whether the newest row is in view. If so, newer rows push it down. */
  onTop(isAtTop: boolean): void;
  row(index: number): ComponentChildren;
  /**
   * Scrolls to a row whenever this value changes. A near row is moved just into view, a far row to
   * the middle.
   */
  reveal: { index: number; stamp: number } | null;
  onKeyDown(event: KeyboardEvent): void;
}

/**
 * A list of any length. It draws only the rows in view. New rows come at the top. A view below the
 * top keeps showing the same rows.
 *
 * All rows have the same height, so no row needs measuring.
 */
export function VirtualList(props: VirtualListProps) {
  const { count, rowHeight, onRange, onTop } = props;
  const box = useRef<HTMLDivElement>(null);
  const [view, setView] = useState({ top: 0, height: 600, step: 0 });
  const before = useRef(count);

  const { height, scale } = scaledHeight(count * rowHeight, view.height);
  const offset = view.top * scale;
  const inView = {
    first: Math.max(0, Math.floor(offset / rowHeight)),
    last: Math.min(count - 1, Math.ceil((offset + view.height) / rowHeight)),
  };
  /** How many rows the last scroll passed; positive if it went down. */
  const passed = Math.round((view.step * scale) / rowHeight);
  const ahead = Math.min(MAX_AHEAD, Math.abs(passed) * FRAMES_AHEAD);
  const above = passed < 0 ? Math.max(OVERSCAN, ahead) : OVERSCAN;
  const below = passed > 0 ? Math.max(OVERSCAN, ahead) : OVERSCAN;
  const first = Math.max(0, inView.first - above);
  const last = Math.min(count - 1, inView.last + below);

  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    const added = count - before.current;
    before.current = count;
    if (added > 0 && element.scrollTop > 0) {
      element.scrollTop += (added * rowHeight) / scale;
      setView({ top: element.scrollTop, height: element.clientHeight, step: 0 });
    }
  }, [count, rowHeight, scale]);

  useEffect(() => {
    const element = box.current;
    if (!element) return;
    let scrolledAt = 0;
    let top = element.scrollTop;
    const look = () => {
      // A hidden list has no height. It keeps its drawn rows.
      if (element.clientHeight === 0) return;
      const isGoing = performance.now() - scrolledAt < REST_MS;
      const step = isGoing ? element.scrollTop - top : 0;
      top = element.scrollTop;
      setView({ top, height: element.clientHeight, step });
      onTop(top < rowHeight / 2);
    };
    const onScroll = () => {
      look();
      scrolledAt = performance.now();
    };
    const observer = new ResizeObserver(look);
    observer.observe(element);
    element.addEventListener('scroll', onScroll, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', onScroll);
    };
  }, [rowHeight, onTop]);

  const toFetch = Math.max(
    -MAX_FETCH_AHEAD,
    Math.min(MAX_FETCH_AHEAD, passed * FETCH_FRAMES_AHEAD),
  );
  useEffect(() => {
    if (last >= first) onRange(first, last, toFetch);
  }, [first, last, toFetch, onRange]);

  const revealed = useRef(0);
  useLayoutEffect(() => {
    const element = box.current;
    const { reveal } = props;
    if (!element || !reveal || reveal.index < 0 || reveal.stamp === revealed.current) return;
    revealed.current = reveal.stamp;
    const top = reveal.index * rowHeight;
    const seen = element.scrollTop * scale;
    const room = element.clientHeight - rowHeight;
    if (top >= seen && top <= seen + room) return;
    const isFar = Math.abs(top - seen) > 2 * element.clientHeight;
    if (isFar) element.scrollTop = (top - room / 2) / scale;
    else element.scrollTop = (top < seen ? top : top - room) / scale;
  });

  const rows: ComponentChildren[] = [];
  for (let index = first; index <= last; index++) rows.push(props.row(index));
  return (
    <div
      ref={box}
      class="virtual"
      role="listbox"
      tabIndex={0}
      aria-label={props.label}
      aria-activedescendant={props.activeId}
      onKeyDown={props.onKeyDown}
      // The list keeps the focus, because a row's element may be removed.
      onMouseDown={(event) => {
        if (event.button !== 0 || event.target === box.current) return;
        event.preventDefault();
        box.current?.focus({ preventScroll: true });
      }}
    >
      <div class="virtual-space" role="presentation" style={{ height: `${height}px` }}>
        <div
          class="virtual-rows"
          role="presentation"
          style={{ top: `${view.top - (offset - first * rowHeight)}px` }}
        >
          {rows}
        </div>
      </div>
    </div>
  );
}
