import type { Key } from './screen-keys.ts';

/** Text over the rows, scrolled by the same keys. */
export interface ScreenPane {
  title: string;
  lines: string[];
  /** The first line shown. */
  top: number;
}

/** The pane after a key; null when the key closes it. */
export function scrolled(pane: ScreenPane, key: Key, pageLines: number): ScreenPane | null {
  const last = Math.max(0, pane.lines.length - pageLines);
  switch (key) {
    case 'up':
      return { ...pane, top: Math.max(0, pane.top - 1) };
    case 'down':
      return { ...pane, top: Math.min(last, pane.top + 1) };
    case 'first':
      return { ...pane, top: 0 };
    case 'last':
      return { ...pane, top: last };
    case 'back':
    case 'quit':
    case 'details':
      return null;
    default:
      return pane;
  }
}
