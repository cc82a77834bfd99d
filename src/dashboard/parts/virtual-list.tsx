import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';

/** Height above which scrolling is proportional. Browsers stop at 17 to 33 million pixels. */
const MAX_HEIGHT_PX = 12_000_000;
/** Rows drawn above and below the view. */
const OVERSCAN = 6;

interface VirtualListProps {
  count: number;
  rowHeight: number;
  label: string;
  /** Id of the selected row's element. */
  activeId: string | undefined;
  /** Receives the rows in view. */
  onRange(first: number, last: number): void;
  /** Receives whether the newest row is in view. If it is, newer rows push it down. */
  onTop(isAtTop: boolean): void;
  row(index: number): ComponentChildren;
  /** Scrolls to a row whenever this changes. */
  reveal: { index: number; stamp: number } | null;
  onKeyDown(event: KeyboardEvent): void;
}

/**
 * A list of any length that draws only the rows in view. New rows come at the top.
 * Away from the top, the view keeps its rows.
 */
export function VirtualList(props: VirtualListProps) {
  const { count, rowHeight, onRange, onTop } = props;
  const box = useRef<HTMLDivElement>(null);
  const [view, setView] = useState({ top: 0, height: 600 });
  const before = useRef(count);

  const full = count * rowHeight;
  const height = Math.min(full, MAX_HEIGHT_PX);
  /** Pixels of the list per pixel of scrolling: 1 unless the list is too long. */
  const scale = full > height ? (full - view.height) / (height - view.height) : 1;
  const offset = view.top * scale;
  const first = Math.max(0, Math.floor(offset / rowHeight) - OVERSCAN);
  const last = Math.min(count - 1, Math.ceil((offset + view.height) / rowHeight) + OVERSCAN);

  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    const added = count - before.current;
    before.current = count;
    if (added > 0 && element.scrollTop > 0) {
      element.scrollTop += (added * rowHeight) / scale;
      setView({ top: element.scrollTop, height: element.clientHeight });
    }
  }, [count, rowHeight, scale]);

  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const look = () => {
      setView({ top: element.scrollTop, height: element.clientHeight });
      onTop(element.scrollTop < rowHeight / 2);
    };
    const observer = new ResizeObserver(look);
    observer.observe(element);
    element.addEventListener('scroll', look, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', look);
    };
  }, [rowHeight, onTop]);

  useEffect(() => {
    if (last >= first) onRange(first, last);
  }, [first, last, onRange]);

  const revealed = useRef(0);
  useLayoutEffect(() => {
    const element = box.current;
    const { reveal } = props;
    if (!element || !reveal || reveal.index < 0 || reveal.stamp === revealed.current) return;
    revealed.current = reveal.stamp;
    const top = reveal.index * rowHeight;
    const seen = element.scrollTop * scale;
    if (top < seen) element.scrollTop = top / scale;
    else if (top + rowHeight > seen + element.clientHeight) {
      element.scrollTop = (top + rowHeight - element.clientHeight) / scale;
    }
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
    >
      <div class="virtual-space" role="presentation" style={{ height: `${height}px` }}>
        <div
          class="virtual-rows"
          role="presentation"
          style={{ transform: `translateY(${view.top - (offset - first * rowHeight)}px)` }}
        >
          {rows}
        </div>
      </div>
    </div>
  );
}
