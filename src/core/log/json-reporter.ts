import type { ConsolaReporter } from 'consola/core';
import { escapeControls } from '../text/escape-controls.ts';
import { viewError } from './error-view.ts';
import { logEntry } from './log-entry.ts';
import { oneLine } from './one-line.ts';

/** Writes each entry as one line of strict JSON: time, level, msg, then the fields. */
export function jsonReporter(write: (line: string) => void): ConsolaReporter {
  return {
    log(record) {
      const { time, level, message, error, fields } = logEntry(record);
      const head = { time: time.toISOString(), level, msg: message };
      const view = error === undefined || error === null ? error : viewError(error);
      let line: string;
      try {
        line = JSON.stringify({ ...head, ...fields, error: view, ...head }, jsonValue);
      } catch {
        // A field has a cycle, or a getter that throws.
        line = JSON.stringify({ ...head, fields: oneLine(fields), error: view });
      }
      // JSON.stringify doesn't escape DEL, C1 and the reordering marks. Inside strings, \uXXXX
      // means the same character.
      write(escapeControls(line));
    },
  };
}

function jsonValue(_name: string, value: unknown): unknown {
  if (value instanceof Error) return viewError(value);
  return typeof value === 'bigint' ? String(value) : value;
}
