import { styleText } from 'node:util';
import type { ConsolaReporter } from 'consola/core';
import { MINUTE_MS } from '../text/duration.ts';
import { escapeControls } from '../text/escape-controls.ts';
import { type ErrorView, viewError } from './error-view.ts';
import { logEntry } from './log-entry.ts';
import { oneLine } from './one-line.ts';

const LEVEL_COLOURS = {
  debug: 'gray',
  info: 'cyan',
  warn: 'yellow',
  error: 'red',
} as const;

/**
 * Writes each entry for a person: time, level, message, `name=value`. The lines of an error follow.
 * consola's own reporters write control characters as they are.
 */
export function prettyReporter(
  write: (line: string) => void,
  hasColours: boolean,
): ConsolaReporter {
  const paint = (colour: Parameters<typeof styleText>[0], text: string) =>
    hasColours ? styleText(colour, text, { validateStream: false }) : text;
  return {
    log(record) {
      const { time, level, message, error, fields } = logEntry(record);
      const name = paint(LEVEL_COLOURS[level], level.padEnd(5));
      let text = `${paint('gray', clockTime(time))} ${name} ${escapeControls(message)}`;
      const add = (field: string, value: unknown) => {
        if (value === undefined) return;
        text += ` ${paint('gray', `${escapeControls(field)}=`)}${show(value)}`;
      };
      for (const [field, value] of Object.entries(fields)) add(field, value);
      if (error instanceof Error) text += paint('red', showError(viewError(error)));
      else add('error', error);
      write(text);
    },
  };
}

/** Returns the local time of day, for the person at the terminal. */
function clockTime(time: Date): string {
  const local = time.getTime() - time.getTimezoneOffset() * MINUTE_MS;
  return new Date(local).toISOString().slice(11, 23);
}

/**
 * Returns a field's value as text. Values with blanks or quotes are quoted, so that their end is
 * clear.
 */
function show(value: unknown): string {
  if (typeof value !== 'string') return escapeControls(oneLine(value));
  return escapeControls(/^[^\s"=]+$/.test(value) ? value : JSON.stringify(value));
}

/** Returns the lines below a message. Their indent keeps a stack from forging a log line. */
function showError(error: ErrorView, prefix = ''): string {
  const code = error.code === undefined ? '' : ` (${error.code})`;
  const text = error.stack ?? `${error.name ?? 'Error'}: ${error.message}`;
  const lines = `${prefix}${text}`.split('\n').map((line) => `\n    ${escapeControls(line)}`);
  lines[0] += code;
  return lines.join('') + (error.cause ? showError(error.cause, 'caused by ') : '');
}
