import { inspect, styleText } from 'node:util';
import { type ConsolaReporter, createConsola } from 'consola/core';
import type { LogFields, Logger } from './runtime.ts';

export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

export interface LoggerOptions {
  format: 'pretty' | 'json';
  /** The lowest level that is written. Default: `info`. */
  level?: LogLevel;
  /** The target of the lines. Default: stderr. */
  stream?: LogStream;
}

/** A stream for log lines, such as `process.stderr` or any Writable. */
export interface LogStream {
  write(text: string): unknown;
  on(event: 'error', listener: (error: Error) => void): unknown;
  isTTY?: boolean;
}

interface LogLine {
  time: Date;
  level: LogLevel;
  message: string;
  fields: LogFields;
}

/** A thrown value as the log shows it. */
interface ErrorView {
  name?: string;
  code?: string;
  message: string;
  stack?: string;
  cause?: ErrorView;
}

/** consola's numbers of the levels. */
const CONSOLA_LEVELS: Record<LogLevel, number> = {
  error: 0,
  warn: 1,
  info: 3,
  debug: 4,
};
const LEVEL_COLOURS = {
  debug: 'gray',
  info: 'cyan',
  warn: 'yellow',
  error: 'red',
} as const;
/** The largest number of nested causes that is shown. Causes can be cyclic. */
const MAX_CAUSES = 3;

/**
 * Characters that can attack a terminal or a log viewer. They are C0 and C1 controls, DEL, Unicode
 * line separators and marks that reorder text. Controls make escape sequences and forged lines.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern finds control characters
const CONTROLS = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;

/** Returns a stranger's text with each control character as `\uXXXX`, safe for a terminal. */
export function escapeControls(text: string): string {
  return text.replace(CONTROLS, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/**
 * Creates the log. Each call writes one line. Control characters are escaped, because messages and
 * values may contain text from senders. If the stream fails, the lines are lost, but the process
 * continues.
 */
export function createLogger({
  format,
  level = 'info',
  stream = process.stderr,
}: LoggerOptions): Logger {
  ignoreErrors(stream);
  const render = format === 'json' ? jsonLine : prettyLine(usesColours(stream));
  const reporter: ConsolaReporter = {
    log({ date, type, args }) {
      const [message, fields] = args as [string, LogFields | undefined];
      const line = {
        time: date,
        level: type as LogLevel,
        message,
        fields: fields ?? {},
      };
      try {
        stream.write(`${render(line)}\n`);
      } catch {
        // The stream is closed, so the line is lost.
      }
    },
  };
  const consola = createConsola({
    level: CONSOLA_LEVELS[level],
    reporters: [reporter],
    // By default, consola drops the sixth equal line within a second, even if its fields differ.
    throttle: 0,
    throttleMin: Number.POSITIVE_INFINITY,
  });
  return {
    debug: (message, fields) => consola.debug(message, fields),
    info: (message, fields) => consola.info(message, fields),
    warn: (message, fields) => consola.warn(message, fields),
    error: (message, fields) => consola.error(message, fields),
  };
}

const ignored = new WeakSet<LogStream>();

/**
 * Ignores errors of the stream, such as EPIPE. Without a listener, an error would end the process.
 */
function ignoreErrors(stream: LogStream): void {
  if (ignored.has(stream)) return;
  ignored.add(stream);
  stream.on('error', () => {});
}

function usesColours(stream: LogStream): boolean {
  return stream.isTTY === true && !process.env.NO_COLOR && process.env.TERM !== 'dumb';
}

/** Returns one line of strict JSON: time, level, msg, then the fields. */
function jsonLine({ time, level, message, fields }: LogLine): string {
  const head = { time: time.toISOString(), level, msg: message };
  const { error, ...rest } = fields;
  const view = error === undefined || error === null ? error : viewError(error);
  let line: string;
  try {
    line = JSON.stringify({ ...head, ...rest, error: view, ...head }, jsonValue);
  } catch {
    // A field has a cycle, or a getter that throws.
    line = JSON.stringify({ ...head, fields: oneLine(rest), error: view });
  }
  // JSON.stringify doesn't escape DEL, C1 and the reordering marks. Inside strings, \uXXXX means
  // the same character.
  return escapeControls(line);
}

function jsonValue(_name: string, value: unknown): unknown {
  if (value instanceof Error) return viewError(value);
  return typeof value === 'bigint' ? String(value) : value;
}

function oneLine(value: unknown): string {
  return inspect(value, { breakLength: Number.POSITIVE_INFINITY, compact: true, depth: 3 });
}

function prettyLine(colours: boolean): (line: LogLine) => string {
  const paint = (colour: Parameters<typeof styleText>[0], text: string) =>
    colours ? styleText(colour, text, { validateStream: false }) : text;
  return ({ time, level, message, fields }) => {
    const { error, ...rest } = fields;
    let text = `${paint('gray', clockTime(time))} ${paint(LEVEL_COLOURS[level], level.padEnd(5))} `;
    text += escapeControls(message);
    for (const [name, value] of Object.entries(rest)) {
      if (value !== undefined)
        text += ` ${paint('gray', `${escapeControls(name)}=`)}${show(value)}`;
    }
    if (error instanceof Error) return text + paint('red', showError(viewError(error)));
    return error === undefined ? text : `${text} ${paint('gray', 'error=')}${show(error)}`;
  };
}

/** Returns the local time of day, for the person at the terminal. */
function clockTime(time: Date): string {
  const two = (n: number) => String(n).padStart(2, '0');
  const ms = String(time.getMilliseconds()).padStart(3, '0');
  return `${two(time.getHours())}:${two(time.getMinutes())}:${two(time.getSeconds())}.${ms}`;
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

function viewError(error: unknown, depth = 0): ErrorView {
  if (!(error instanceof Error)) {
    return { message: typeof error === 'string' ? error : oneLine(error) };
  }
  const { name, message, stack, cause } = error;
  const code = (error as { code?: unknown }).code;
  const hasCause = cause !== undefined && cause !== null && depth < MAX_CAUSES;
  return {
    name,
    ...(typeof code === 'string' && { code }),
    message,
    ...(stack !== undefined && { stack }),
    ...(hasCause && { cause: viewError(cause, depth + 1) }),
  };
}
