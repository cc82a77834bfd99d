import { cutToWidth, displayWidth } from './display-width.ts';
import { DEFAULT_COLUMNS, printable } from './output.ts';

const INDENT = '  ';

/**
 * Returns two printable lines: the text, and a caret below a place in the text. On a terminal, cuts
 * a long text around that place.
 *
 * @param at the place, in UTF-16 units
 * @param width columns; those of stderr by default
 */
export function markedLines(text: string, at: number, width = stderrWidth()): string[] {
  const room = width - INDENT.length;
  const after = onLine(text.slice(at));
  // Give the text before the place at least half of the line.
  const forBefore = Math.max(Math.floor(room / 2), room - 1 - displayWidth(after));
  const before = cutBegin(onLine(text.slice(0, at)), forBefore);
  const indent = displayWidth(before);
  return [INDENT + before + cutToWidth(after, room - indent), `${INDENT}${' '.repeat(indent)}^`];
}

function onLine(text: string): string {
  return printable(text.replace(/\s/g, ' '));
}

/** Returns the end of a text that fits into the width. Starts a cut text with an ellipsis. */
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
