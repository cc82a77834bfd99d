import {
  type JsonIndex,
  kindOf,
  NO_PARENT,
  nameOf,
  writtenOf,
} from '../../../core/text/json-index.ts';
import { stringValue } from '../../../core/text/lossless-json.ts';
import { nameText } from '../../../core/text/rule-spelling.ts';
import type { LineOf } from './line-of.ts';

/** The deepest path, levels. The server would refuse a longer rule. */
const MOST_LEVELS = 100;

/**
 * Returns the path of a value in the syntax of rules, such as `body.items[0].sku`. Returns null if
 * the value is too deep.
 */
export function rulePath(text: string, index: JsonIndex, node: number): string | null {
  const steps: string[] = [];
  let at = node;
  for (;;) {
    const parent = index.parent[at] as number;
    if (parent === NO_PARENT) break;
    if (steps.length === MOST_LEVELS) return null;
    const name = nameOf(text, index, at);
    steps.push(
      name === null ? `[${placeIn(index, parent, at)}]` : `.${nameText(stringValue(name))}`,
    );
    at = parent;
  }
  return `body${steps.reverse().join('')}`;
}

/** Returns the path of a line's value, or null if rules can't reach the value. */
export const pathOfLine = ({ text, index, node, isMany }: LineOf): string | null =>
  isMany ? null : rulePath(text, index, node);

/**
 * Returns the condition that the body has this value at this path. Returns null for an object, an
 * array or a long text.
 */
export function ruleOfValue(text: string, index: JsonIndex, node: number): string | null {
  const kind = kindOf(text, index, node);
  const path = rulePath(text, index, node);
  const written = writtenOf(text, index, node);
  if (path === null || path === 'body' || kind === 'object' || kind === 'array') return null;
  if (path.length + written.length > MOST_CHARACTERS) return null;
  return `${path}=${kind === 'string' ? JSON.stringify(stringValue(written)) : written}`;
}

/** The longest condition that fits into the address, characters. */
const MOST_CHARACTERS = 1000;

/** Returns the index of a value among the items of its array. */
function placeIn({ next }: JsonIndex, array: number, node: number): number {
  let place = 0;
  for (let item = array + 1; item < node; item = next[item] as number) place++;
  return place;
}
