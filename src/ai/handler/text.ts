import type { HandlerPlan } from './plan.ts';

/** Joins pieces of code with one blank line between them. Empty pieces are left out. */
export function joined(...pieces: (string | null)[]): string {
  return `${pieces
    .map((piece) => piece?.replace(/^\n+|\s+$/g, '').replaceAll(/\n{3,}/g, '\n\n') ?? '')
    .filter((piece) => piece !== '')
    .join('\n\n')}\n`;
}

/**
 * Turns lines into comments. A line that begins with a tab follows `prefix` without a blank, as
 * gofmt demands.
 */
export function comment(prefix: string, lines: readonly string[]): string {
  return lines
    .map((line) => `${prefix}${line.startsWith('\t') ? '' : ' '}${line}`.trimEnd())
    .join('\n');
}

/** Returns the payload's types, below comments with the notes on them. */
export function declarations(prefix: string, { payload: { notes, code } }: HandlerPlan): string {
  return notes.length === 0 ? code : `${comment(prefix, notes)}\n${code}`;
}
