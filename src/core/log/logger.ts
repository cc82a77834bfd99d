import { createConsola, LogLevels } from 'consola/core';
import type { Logger } from '../runtime/runtime.ts';
import { jsonReporter } from './json-reporter.ts';
import type { LogLevel } from './log-entry.ts';
import { prettyReporter } from './pretty-reporter.ts';

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
  const write = (line: string) => {
    try {
      stream.write(`${line}\n`);
    } catch {
      // The stream is closed, so the line is lost.
    }
  };
  return createConsola({
    level: LogLevels[level],
    reporters: [
      format === 'json' ? jsonReporter(write) : prettyReporter(write, usesColours(stream)),
    ],
    // By default, consola drops the sixth equal line within a second, even if its fields differ.
    throttle: 0,
    throttleMin: Number.POSITIVE_INFINITY,
  });
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
