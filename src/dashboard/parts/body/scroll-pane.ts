/**
 * The least space above and below a match, because the tools at the top cover a part of the pane.
 */
const MARGIN_PX = 60;

/** Returns the nearest pane that scrolls: the element itself, or an ancestor. */
export function scrollerOf(element: Element | null): Element {
  for (let at = element; at; at = at.parentElement) {
    if (/auto|scroll/.test(getComputedStyle(at).overflowY)) return at;
  }
  return document.documentElement;
}

/** Returns the visible part of a pane, in pixels from the window's top. */
export function paneOf(scroller: Element): { top: number; bottom: number } {
  if (scroller === document.documentElement) return { top: 0, bottom: innerHeight };
  const { top, bottom } = scroller.getBoundingClientRect();
  return { top: Math.max(0, top), bottom: Math.min(innerHeight, bottom) };
}

/**
 * Scrolls to the current match of a search. `scrollIntoView` can't do this, because a match is a
 * range of text and not an element.
 */
export function revealCurrent(): void {
  const [range] = CSS.highlights?.get('found-current') ?? [];
  if (!(range instanceof Range)) return;
  const { top, bottom } = range.getBoundingClientRect();
  const scroller = scrollerOf(range.startContainer.parentElement);
  const pane = paneOf(scroller);
  if (top < pane.top + MARGIN_PX || bottom > pane.bottom - MARGIN_PX) {
    scroller.scrollTop += (top + bottom - pane.top - pane.bottom) / 2;
  }
}
