import { diffArrays, diffWordsWithSpace } from 'diff';
import type { RuleSource } from '../../core/rules/rule.ts';
import { colour, hasColors, printable } from '../terminal/output.ts';
import { comparableLines } from './rule-lines.ts';

export interface DiffLine {
  sign: ' ' | '-' | '+';
  /** The text, in parts. A part is emphasized where its line differs from its counterpart. */
  parts: { text: string; isEmphasized: boolean }[];
}

/**
 * What changes from one rule to another, condition by condition; JSON rules line by
 * line. Null: every event passes.
 */
export function ruleDiff(before: RuleSource | null, after: RuleSource | null): DiffLine[] {
  const [old, now] = comparableLines(before, after);
  const lines: DiffLine[] = [];
  const chunks = diffArrays(old, now);
  for (const [i, { value, added, removed }] of chunks.entries()) {
    const next = chunks[i + 1];
    const previous = chunks[i - 1];
    // One condition in place of another: their words are compared.
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

/** `- body.amount>=1000`, inert; coloured on a terminal. */
export function diffLineText({ sign, parts }: DiffLine): string {
  if (sign === ' ') return `  ${parts.map(({ text }) => printable(text)).join('')}`;
  const name = sign === '+' ? 'green' : 'red';
  const text = parts.map((part) => {
    const shown = printable(part.text);
    return part.isEmphasized && hasColors()
      ? colour('bold', colour(name, shown))
      : colour(name, shown);
  });
  return colour(name, `${sign} `) + text.join('');
}

function plain(text: string): DiffLine['parts'] {
  return [{ text, isEmphasized: false }];
}

/** The line's own words, those that its counterpart doesn't have emphasized. */
function emphasized(text: string, counterpart: string): DiffLine['parts'] {
  const words = diffWordsWithSpace(counterpart, text).filter(({ removed }) => !removed);
  return words.map(({ value, added }) => ({ text: value, isEmphasized: added }));
}
