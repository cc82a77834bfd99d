import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { type JsonIndex, NO_PARENT, nodeAt } from '../../../core/text/json-index.ts';
import { countBelow } from './find-text.ts';
import {
  isClosing,
  linesOf,
  type OpenValues,
  openAtFirst,
  placeOf,
  setAll,
  valueOfLine,
} from './json-lines.ts';
import type { Find } from './use-find.ts';
import type { Reveal } from './virtual-lines.tsx';

/** How many lines PageUp and PageDown move. */
const PAGE_LINES = 20;

/** The state of a tree: the open values, the active line, and the current match. */
export function useTree(text: string, index: JsonIndex, find: Find) {
  const [open, setOpen] = useState<OpenValues>(() => openAtFirst(index, text.length));
  const [active, setActive] = useState(0);
  const [reveal, setReveal] = useState<Reveal | null>(null);
  const known = useRef({ index, find: -1 });

  // The index of the text's beginning comes first, and the whole index later. A value has the same
  // number in both.
  let flags = open;
  if (known.current.index !== index && open.length < index.length) {
    flags = openAtFirst(index, text.length);
    flags.set(open.subarray(0, Math.max(0, known.current.index.length - 1)));
  }
  const lines = useMemo(() => linesOf(index, flags), [index, open]);
  useLayoutEffect(() => {
    if (known.current.index === index) return;
    known.current.index = index;
    setOpen(flags);
  }, [index]);

  const show = (place: number) => setReveal((now) => ({ place, stamp: (now?.stamp ?? 0) + 1 }));
  const go = (place: number) => {
    const at = Math.max(0, Math.min(lines.length - 1, place));
    setActive(valueOfLine(lines[at] as number));
    show(at);
  };
  const set = (node: number, isOpen: boolean) => {
    if ((index.members[node] as number) === 0) return;
    const next = flags.slice();
    next[node] = isOpen ? 1 : 0;
    setOpen(next);
    setActive(node);
  };
  const setEvery = (isOpen: boolean) => {
    setOpen(setAll(index, isOpen));
    setActive(0);
  };

  // Opens the values around the current match, and makes the match's line the active one.
  const { found, current, stamp } = find;
  useLayoutEffect(() => {
    const offset = found?.starts[current];
    if (offset === undefined) return;
    const node = nodeAt(index, offset);
    const next = flags.slice();
    let isSame = true;
    for (let up = index.parent[node] as number; up !== NO_PARENT; up = index.parent[up] as number) {
      if (next[up] === 0) isSame = false;
      next[up] = 1;
    }
    if (!isSame) setOpen(next);
    setActive(node);
    show(placeOf(isSame ? lines : linesOf(index, next), node));
  }, [found, current, stamp, index]);

  /** Returns the value of the current match, and the match's number within its line. */
  const nth = (): { node: number; nth: number } | null => {
    const offset = found?.starts[current];
    if (!found || offset === undefined) return null;
    const node = nodeAt(index, offset);
    const begin = Math.min(index.start[node] as number, index.key[node] as number);
    return { node, nth: current - countBelow(found.starts, begin) };
  };

  const place = useMemo(() => placeOf(lines, active), [lines, active]);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const isOpen = flags[active] === 1;
    const hasMembers = (index.members[active] as number) > 0;
    const moves: Record<string, () => void> = {
      ArrowDown: () => go(nextValue(place, 1)),
      ArrowUp: () => go(nextValue(place, -1)),
      PageDown: () => go(nextValue(place + PAGE_LINES - 1, 1)),
      PageUp: () => go(nextValue(place - PAGE_LINES + 1, -1)),
      Home: () => go(0),
      End: () => go(nextValue(lines.length, -1)),
      ArrowRight: () => (hasMembers && !isOpen ? set(active, true) : go(nextValue(place, 1))),
      ArrowLeft: () => {
        const up = index.parent[active] as number;
        if (hasMembers && isOpen) set(active, false);
        else if (up !== NO_PARENT) go(placeOf(lines, up));
      },
    };
    const move = moves[event.key];
    if (!move) return;
    event.preventDefault();
    move();
  };
  /** Returns the place of the next line that opens or contains a value. */
  const nextValue = (from: number, step: 1 | -1): number => {
    let at = from + step;
    while (at > 0 && at < lines.length && isClosing(lines[at] as number)) at += step;
    if (at >= lines.length) return step === 1 ? nextValue(lines.length, -1) : lines.length - 1;
    return Math.max(0, at);
  };

  return {
    ...{ flags, lines, active, place, reveal, set, setEvery, setActive, nth, onKeyDown },
    placeOf: (node: number) => placeOf(lines, node),
  };
}
