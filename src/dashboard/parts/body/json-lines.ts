import { type JsonIndex, NO_PARENT } from '../../../core/text/json-index.ts';

/**
 * The longest text that opens almost all levels, characters. A longer text opens only its outer
 * levels.
 */
const OPEN_CHARACTERS = 6000;
const DEEP_OPEN_DEPTH = 12;
const OPEN_DEPTH = 2;
const OPEN_MEMBERS = 60;
/**
 * Only the first values can be open at first. Later values are far below, or inside closed ones.
 */
const MOST_FIRST = 20_000;

/** A flag for each value: 1 if the value is open. */
export type OpenValues = Uint8Array;

/** Returns the values that a tree opens at first. */
export function openAtFirst(index: JsonIndex, textLength: number): OpenValues {
  const { length, members, parent } = index;
  const open = new Uint8Array(length);
  const deepest = textLength <= OPEN_CHARACTERS ? DEEP_OPEN_DEPTH : OPEN_DEPTH;
  const depth = new Uint32Array(Math.min(length, MOST_FIRST));
  for (let node = 0; node < depth.length; node++) {
    const up = parent[node] as number;
    depth[node] = up === NO_PARENT ? 0 : (depth[up] as number) + 1;
    const count = members[node] as number;
    const isShort = up === NO_PARENT ? index.roots <= OPEN_MEMBERS : count <= OPEN_MEMBERS;
    if (count > 0 && isShort && (depth[node] as number) < deepest) open[node] = 1;
  }
  return open;
}

/** Opens all values, or only the outermost ones. */
export function setAll({ length, members, parent }: JsonIndex, isOpen: boolean): OpenValues {
  const open = new Uint8Array(length);
  for (let node = 0; node < length; node++) {
    const isTop = parent[node] === NO_PARENT;
    if ((members[node] as number) > 0 && (isOpen || isTop)) open[node] = 1;
  }
  return open;
}

/** Each line is twice the number of its value, plus one if the line closes the value. */
type JsonLines = Uint32Array<ArrayBuffer>;

export const valueOfLine = (line: number): number => line >>> 1;
export const isClosing = (line: number): boolean => (line & 1) === 1;

/** Returns the lines to show, from top to bottom. A million lines take some milliseconds. */
export function linesOf({ length, next, parent }: JsonIndex, open: OpenValues): JsonLines {
  let lines = new Uint32Array(1024);
  let count = 0;
  const push = (line: number) => {
    if (count === lines.length) {
      lines = new Uint32Array(lines.buffer.transfer(2 * lines.byteLength));
    }
    lines[count++] = line;
  };
  let node = 0;
  /** The innermost open value that hasn't ended yet. */
  let within = NO_PARENT;
  for (;;) {
    while (within !== NO_PARENT && next[within] === node) {
      push(within * 2 + 1);
      within = parent[within] as number;
    }
    if (node >= length) break;
    push(node * 2);
    if (open[node] === 1) {
      within = node;
      node++;
    } else node = next[node] as number;
  }
  return lines.slice(0, count);
}

/** Returns the place of a value's line, or -1 if the line is inside a closed value. */
export const placeOf = (lines: JsonLines, node: number): number => lines.indexOf(node * 2);

/** Returns how many levels are above a value. */
export function depthOf({ parent }: JsonIndex, node: number, most: number): number {
  let depth = 0;
  for (
    let up = parent[node] as number;
    up !== NO_PARENT && depth < most;
    up = parent[up] as number
  ) {
    depth++;
  }
  return depth;
}
