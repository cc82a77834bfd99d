import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { scaledHeight } from './scaled-height.ts';

/**
 * Rows drawn above and below the view. A scroll shows fewer new rows in its first frame, and in the
 * frame in which it changes direction.
 */
const OVERSCAN = 12;
/**
 * How far ahead of a scroll rows are drawn, in frames. The browser scrolls before new rows are drawn,
 * so rows that aren't drawn ahead would be blank.
 */
const FRAMES_AHEAD = 2;
const MAX_AHEAD = 90;
/**
 * How many frames a fetch takes: about half a second. The rows of that many frames are prefetched.
 */
const FETCH_FRAMES_AHEAD = 40;
const MAX_FETCH_AHEAD = 800;
/** How long a pause separates two scrolls, ms. */
const REST_MS = 200;

interface VirtualListProps {
  count: number;
  rowHeight: number;
  label: string;
  /** The id of the element of the active row. */
  activeId: string | undefined;
  /**
   * Called with the rows in view, and with how many more rows a scroll reaches soon: positive for
   * rows below.
   */
  onRange(first: number, last: number, ahead: number): void;
  /** Called with whether the newest row is in view. If it is, newer rows push it down. */
  onTop(isAtTop: boolean): void;
  row(index: number): ComponentChildren;
  /**
   * Scrolls to a row whenever this changes. A near row is just moved into view, and a far one to
   * the middle.
   */
  reveal: { index: number; stamp: number } | null;
  onKeyDown(event: KeyboardEvent): void;
}

/**
 * A list of any length that draws only the rows in view. New rows come at the top. If the view
 * isn't at the top, it keeps showing the same rows.
 *
 * All rows have the same height. So the place of a row is a product, and a new row at the top needs
 * no measuring.
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
  /** How many rows the last scroll passed: positive if it went down. */
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
      // The list keeps the focus and shows it at the active row, because a row's element may be
      // removed.
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
