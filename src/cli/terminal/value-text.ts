import { formatRelativeTime } from '../../core/text/duration.ts';
import { type Colour, colour } from './output.ts';

const STATUS_COLOURS: Record<string, Colour> = {
  delivered: 'green',
  succeeded: 'green',
  failed: 'yellow',
  dead_letter: 'red',
  dead: 'red',
};

/** A time: relative on a terminal, exact in a pipe. */
export function timeText(iso: string, now: number = Date.now()): string {
  return process.stdout.isTTY ? formatRelativeTime(Date.parse(iso) - now) : iso;
}

/** A status in its colour. */
export function paintStatus(text: string, status: string): string {
  const name = STATUS_COLOURS[status];
  return name ? colour(name, text) : text;
}
