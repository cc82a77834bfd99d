import type { Key } from './screen-keys.ts';

/** A scrollable text over the rows. */
export interface ScreenPane {
  title: string;
  lines: string[];
  top: number;
}

/** Returns null if the key closes the pane. */
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
