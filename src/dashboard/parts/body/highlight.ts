import { patternOf } from './find-text.ts';

/** The names of the highlights in the style sheet. */
const FOUND = 'found';
const CURRENT = 'found-current';

/** At most this many matches are coloured. */
const MOST_COLOURED = 5000;

/** The current match of the search. `nth` is the match's number within the element. */
interface CurrentMatch {
  element: Element | null;
  nth: number;
}

/**
 * Colours the matches of a search without changing the markup. Does nothing if the browser lacks
 * custom highlights.
 */
export function highlight(box: Element, query: string, current: CurrentMatch): void {
  if (!CSS.highlights) return;
  clearHighlight();
  if (query === '') return;
  const pattern = patternOf(query);
  const found = new Highlight();
  const searched = box.matches('[data-found]') ? [box] : box.querySelectorAll('[data-found]');
  for (const element of searched) {
    const ranges = rangesIn(element, pattern);
    const isCurrent = element === current.element;
    const at = isCurrent ? (ranges[current.nth] ?? ranges.at(-1)) : undefined;
    for (const range of ranges) if (range !== at && found.size < MOST_COLOURED) found.add(range);
    if (at) CSS.highlights.set(CURRENT, new Highlight(at));
  }
  CSS.highlights.set(FOUND, found);
}

export function clearHighlight(): void {
  CSS.highlights?.delete(FOUND);
  CSS.highlights?.delete(CURRENT);
}

/** Returns the matches in an element's text. Ignores the signs that the tree adds. */
function rangesIn(element: Element, pattern: RegExp): Range[] {
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  const nodes: { node: Text; start: number }[] = [];
  let text = '';
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (node.parentElement?.closest('[data-mark]')) continue;
    nodes.push({ node: node as Text, start: text.length });
    text += (node as Text).data;
  }
  const place = (offset: number): readonly [Text, number] | null => {
    const at = nodes.findLast(({ start }) => start <= offset);
    return at ? [at.node, Math.min(offset - at.start, at.node.length)] : null;
  };
  return [...text.matchAll(pattern)].slice(0, MOST_COLOURED).flatMap(({ 0: match, index }) => {
    const from = place(index);
    const to = place(index + match.length - 1);
    if (!from || !to) return [];
    const range = document.createRange();
    range.setStart(...from);
    range.setEnd(to[0], to[1] + 1);
    return [range];
  });
}
