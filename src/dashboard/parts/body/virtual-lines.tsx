import type { ComponentChildren, HTMLAttributes, RefObject } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';
import { scaledHeight } from '../scaled-height.ts';
import { paneOf, scrollerOf } from './scroll-pane.ts';

/**
 * The largest number of lines that are all drawn, and that wrap. Of more lines, only the lines in
 * view are drawn. These don't wrap.
 */
export const MOST_DRAWN = 500;
/** The height of a row of a long list. The style sheet has the same height. */
const ROW_PX = 22;
const OVERSCAN = 20;
/** At most this many rows stay drawn because of a selection. */
const MOST_KEPT = 2000;

export interface Reveal {
  place: number;
  /** A new number reveals the line again. */
  stamp: number;
}

interface VirtualLinesProps {
  box: RefObject<HTMLDivElement | null>;
  count: number;
  class: string;
  reveal: Reveal | null;
  line(place: number): ComponentChildren;
  onDrawn(): void;
  attributes: HTMLAttributes<HTMLDivElement>;
}

/**
 * Draws lines in a pane that scrolls them together with the content above them. Each line is an
 * element whose `data-line` is the line's place.
 */
export function VirtualLines(props: VirtualLinesProps) {
  const { box, count, reveal, onDrawn } = props;
  const [view, setView] = useState({ top: 0, height: 800 });
  const [kept, setKept] = useState<readonly [first: number, last: number] | null>(null);
  const isLong = count > MOST_DRAWN;

  const { height, scale } = scaledHeight(count * ROW_PX, view.height);
  const offset = view.top * scale;
  let first = 0;
  let last = count - 1;
  if (isLong) {
    first = Math.max(0, Math.floor(offset / ROW_PX) - OVERSCAN);
    last = Math.min(count - 1, Math.ceil((offset + view.height) / ROW_PX) + OVERSCAN);
    // The browser drops a selection if its elements are removed.
    if (kept && scale === 1 && Math.max(last, kept[1]) - Math.min(first, kept[0]) < MOST_KEPT) {
      first = Math.min(first, kept[0]);
      last = Math.min(count - 1, Math.max(last, kept[1]));
    }
  }

  useLayoutEffect(() => {
    const element = box.current;
    if (!element || !isLong) return;
    const scroller = scrollerOf(element.parentElement);
    const look = () => {
      const pane = paneOf(scroller);
      const { top } = element.getBoundingClientRect();
      if (pane.bottom <= pane.top) return;
      const next = {
        top: Math.max(0, pane.top - top),
        height: pane.bottom - Math.max(pane.top, Math.min(top, pane.bottom)),
      };
      setView((now) => (now.top === next.top && now.height === next.height ? now : next));
    };
    const lookAtSelection = () => setKept(selectedLines(element));
    look();
    const observer = new ResizeObserver(look);
    observer.observe(scroller);
    document.addEventListener('scroll', look, { capture: true, passive: true });
    document.addEventListener('selectionchange', lookAtSelection);
    return () => {
      observer.disconnect();
      document.removeEventListener('scroll', look, { capture: true });
      document.removeEventListener('selectionchange', lookAtSelection);
    };
  }, [isLong]);

  useLayoutEffect(() => {
    const element = box.current;
    if (!element || !reveal || reveal.place < 0) return;
    if (!isLong) {
      lineElement(element, reveal.place)?.scrollIntoView({ block: 'nearest' });
      return;
    }
    const scroller = scrollerOf(element.parentElement);
    const pane = paneOf(scroller);
    const { top } = element.getBoundingClientRect();
    const room = pane.bottom - pane.top;
    const at = reveal.place * ROW_PX;
    const seen = Math.max(0, pane.top - top) * scale;
    const margin = 3 * ROW_PX;
    const isSeen = top < pane.bottom && at >= seen + margin && at <= seen + room - margin;
    if (!isSeen) scroller.scrollTop += top - pane.top + Math.max(0, at - room / 2) / scale;
  }, [reveal?.stamp, reveal?.place, isLong]);

  useLayoutEffect(() => onDrawn());

  const lines: ComponentChildren[] = [];
  for (let place = first; place <= last; place++) lines.push(props.line(place));
  return (
    <div
      {...props.attributes}
      ref={box}
      class={`lines ${props.class} ${isLong ? 'is-long' : ''}`}
      style={isLong ? { height: `${height}px` } : { height: null }}
    >
      <div
        class="lines-drawn"
        role="presentation"
        style={{
          transform: isLong ? `translateY(${view.top - (offset - first * ROW_PX)}px)` : null,
        }}
      >
        {lines}
      </div>
    </div>
  );
}

export const lineElement = (box: HTMLElement, place: number): HTMLElement | null =>
  box.querySelector<HTMLElement>(`[data-line="${place}"]`);

/** Returns the places of the first and the last selected line, or null without a selection. */
function selectedLines(box: HTMLElement): readonly [number, number] | null {
  const selection = getSelection();
  if (!selection || selection.isCollapsed) return null;
  const places = [selection.anchorNode, selection.focusNode].map((node) => {
    const element = node instanceof Element ? node : node?.parentElement;
    const line = element?.closest<HTMLElement>('[data-line]');
    return line && box.contains(line) ? Number(line.dataset.line) : null;
  });
  const [a, b] = places as [number | null, number | null];
  if (a === null || b === null) return null;
  return [Math.min(a, b), Math.max(a, b)];
}
