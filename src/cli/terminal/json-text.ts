import { indexJson, kindOf, NO_PARENT, nameOf, writtenOf } from '../../core/text/json-index.ts';
import { stringValue } from '../../core/text/lossless-json.ts';

/**
 * Functions on JSON as text. They never parse it, so numbers and duplicate keys stay exact (`1.0`,
 * `12345678901234567890`), and deep nesting can't overflow the stack.
 */

const INDENT = '  ';
/** Deeper levels aren't indented, because a million nested brackets would fill the memory. */
const DEEPEST_INDENT = 32;
const BRACKETS = { object: '{}', array: '[]' };

/** Puts each member and item on its own line. Returns malformed text unchanged. */
export function indentJson(text: string): string {
  const index = indexJson(text);
  if (index === null) return text;
  const parts: string[] = [];
  let open = NO_PARENT;
  let depth = 0;
  const newline = () => {
    if (depth <= DEEPEST_INDENT) parts.push(`\n${INDENT.repeat(depth)}`);
  };
  for (let node = 0; node <= index.length; node++) {
    while (open !== NO_PARENT && index.next[open] === node) {
      depth--;
      newline();
      parts.push(text.charAt((index.end[open] as number) - 1));
      open = index.parent[open] as number;
    }
    if (node === index.length) break;
    if (open !== NO_PARENT) {
      if (node > open + 1) parts.push(',');
      newline();
    }
    const name = nameOf(text, index, node);
    if (name !== null) parts.push(name, ': ');
    const kind = kindOf(text, index, node);
    if (kind !== 'object' && kind !== 'array') parts.push(writtenOf(text, index, node));
    else if (index.members[node] === 0) parts.push(BRACKETS[kind]);
    else {
      parts.push(text.charAt(index.start[node] as number));
      open = node;
      depth++;
    }
  }
  return parts.join('');
}

/** Returns null if there is no such member. */
export function memberText(text: string, name: string): string | null {
  const index = indexJson(text);
  if (index === null) return null;
  for (let node = 1; node < index.length; node = index.next[node] as number) {
    const written = nameOf(text, index, node);
    if (written !== null && stringValue(written) === name) return writtenOf(text, index, node);
  }
  return null;
}
