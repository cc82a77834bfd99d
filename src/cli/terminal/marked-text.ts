import { cutToWidth, displayWidth } from './display-width.ts';
import { DEFAULT_COLUMNS, printable } from './output.ts';

const INDENT = '  ';

/**
 * Two inert lines: a text, and a caret under a place in it. On a terminal, a long text is cut
 * around the place.
 *
 * @param at in UTF-16 units
 * @param width columns; those of stderr by default
 */
export function markedLines(text: string, at: number, width = stderrWidth()): string[] {
  const room = width - INDENT.length;
  const after = onLine(text.slice(at));
  // At least half of the line shows the text before the place.
  const forBefore = Math.max(Math.floor(room / 2), room - 1 - displayWidth(after));
  const before = cutBegin(onLine(text.slice(0, at)), forBefore);
  const indent = displayWidth(before);
  return [INDENT + before + cutToWidth(after, room - indent), `${INDENT}${' '.repeat(indent)}^`];
}

function onLine(text: string): string {
  return printable(text.replace(/\s/g, ' '));
}

/** The end of a text that fits, with an ellipsis before it if it is cut. */
function cutBegin(text: string, width: number): string {
  if (displayWidth(text) <= width) return text;
  const points = [...text];
  let used = 1;
  let from = points.length;
  while (from > 0) {
    used += displayWidth(points[from - 1] as string);
    if (used > width) break;
    from--;
  }
  return `…${points.slice(from).join('')}`;
}

function stderrWidth(): number {
  const { isTTY, columns } = process.stderr;
  return isTTY ? columns || DEFAULT_COLUMNS : Number.POSITIVE_INFINITY;
}
