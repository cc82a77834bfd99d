import type { LogObject } from 'consola/core';
import type { LogFields } from '../runtime/runtime.ts';

export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

interface LogEntry {
  time: Date;
  level: LogLevel;
  message: string;
  /** The field `error`. */
  error: unknown;
  /** The other fields. */
  fields: LogFields;
}

/** Returns consola's record of a call as an entry of the log. */
export function logEntry({ date, type, args }: LogObject): LogEntry {
  const [message, { error, ...fields } = {}] = args as [string, LogFields?];
  return { time: date, level: type as LogLevel, message, error, fields };
}
