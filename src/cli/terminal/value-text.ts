import { styleText } from 'node:util';
import { formatRelativeTime } from '../../core/text/duration.ts';
import type { Colour, Column } from './output.ts';

const STATUS_COLOURS: Record<string, Colour> = {
  ...{ delivered: 'green', succeeded: 'green', resolved: 'green' },
  ...{ failed: 'yellow', failing: 'yellow', paused: 'yellow', disabled: 'yellow' },
  ...{ acknowledged: 'yellow', cancelled: 'yellow' },
  ...{ dead_letter: 'red', dead: 'red', open: 'red', refusing: 'red' },
  running: 'cyan',
};

/** Returns a time as text: relative on a terminal, exact in a pipe. */
export function timeText(iso: string, now: number = Date.now()): string {
  return process.stdout.isTTY ? formatRelativeTime(Date.parse(iso) - now) : iso;
}

export function statusColumn<T>(title: string, value: (row: T) => string): Column<T> {
  return { title, value, paint: (text, row) => paintStatus(text, value(row)) };
}

export function paintStatus(text: string, status: string): string {
  const name = STATUS_COLOURS[status];
  return name ? styleText(name, text) : text;
}
