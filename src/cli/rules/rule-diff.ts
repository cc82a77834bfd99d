import { styleText } from 'node:util';
import { diffArrays, diffWordsWithSpace } from 'diff';
import type { RuleSource } from '../../core/rules/rule.ts';
import { printable } from '../terminal/output.ts';
import { comparableLines } from './rule-lines.ts';

export interface DiffLine {
  sign: ' ' | '-' | '+';
  /** The line in parts. Emphasized parts are words that the line's counterpart lacks. */
  parts: { text: string; isEmphasized: boolean }[];
}

/** Compares conditions, or lines of JSON. Null matches every event. */
export function ruleDiff(before: RuleSource | null, after: RuleSource | null): DiffLine[] {
  const [old, now] = comparableLines(before, after);
  const lines: DiffLine[] = [];
  const chunks = diffArrays(old, now);
  for (const [i, { value, added, removed }] of chunks.entries()) {
    const next = chunks[i + 1];
    const previous = chunks[i - 1];
    // If one condition replaces another, compare their words too.
    const counterpart =
      removed && next?.added ? next : added && previous?.removed ? previous : null;
    const sign = added ? '+' : removed ? '-' : ' ';
    for (const [at, text] of value.entries()) {
      const other = counterpart?.value.length === value.length ? counterpart.value[at] : undefined;
      lines.push({ sign, parts: other === undefined ? plain(text) : emphasized(text, other) });
    }
  }
  return lines;
}

/** Returns a printable text such as `- body.amount>=1000`, coloured on a terminal. */
export function diffLineText({ sign, parts }: DiffLine): string {
  if (sign === ' ') return `  ${parts.map(({ text }) => printable(text)).join('')}`;
  const name = sign === '+' ? 'green' : 'red';
  const text = parts.map((part) => {
    const shown = printable(part.text);
    return styleText(part.isEmphasized ? ['bold', name] : name, shown);
  });
  return styleText(name, `${sign} `) + text.join('');
}

function plain(text: string): DiffLine['parts'] {
  return [{ text, isEmphasized: false }];
}

function emphasized(text: string, counterpart: string): DiffLine['parts'] {
  const words = diffWordsWithSpace(counterpart, text).filter(({ removed }) => !removed);
  return words.map(({ value, added }) => ({ text: value, isEmphasized: added }));
}
