import { formatDuration } from '../../core/units/duration.ts';
import { type Colour, colour } from './output.ts';

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

const STATUS_COLOURS: Record<string, Colour> = {
  delivered: 'green',
  succeeded: 'green',
  failed: 'yellow',
  dead_letter: 'red',
  dead: 'red',
};

/** A time: relative on a terminal, exact in a pipe. */
export function timeText(iso: string, now: number = Date.now()): string {
  return process.stdout.isTTY ? relativeTime(Date.parse(iso) - now) : iso;
}

/** `12s ago`, `in 3m`, `5d ago`: one unit, rounded down. */
export function relativeTime(ms: number): string {
  const distance = Math.abs(ms);
  if (distance < SECOND_MS) return 'now';
  const [size, unit] =
    distance < MINUTE_MS
      ? [SECOND_MS, 's']
      : distance < HOUR_MS
        ? [MINUTE_MS, 'm']
        : distance < 2 * DAY_MS
          ? [HOUR_MS, 'h']
          : [DAY_MS, 'd'];
  const text = `${Math.floor(distance / (size as number))}${unit}`;
  return ms < 0 ? `${text} ago` : `in ${text}`;
}

/** `512 B`, `1.5 KB`, `24.0 MB`: powers of 1024, as in flags. */
export function sizeText(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  const kilobytes = bytes / 1024;
  return kilobytes < 1024 ? `${kilobytes.toFixed(1)} KB` : `${(kilobytes / 1024).toFixed(1)} MB`;
}

/** `850ms`, `9.8s`. */
export function elapsedText(ms: number): string {
  return ms < SECOND_MS ? formatDuration(Math.round(ms)) : `${(ms / SECOND_MS).toFixed(1)}s`;
}

/** `1 event`, `1,234 events`, `2 deliveries`. */
export function countText(count: number, noun: string): string {
  const plural = noun.replace(/y$/, 'ie');
  return `${count.toLocaleString('en-US')} ${count === 1 ? noun : `${plural}s`}`;
}

/** A status in its colour. */
export function paintStatus(text: string, status: string): string {
  const name = STATUS_COLOURS[status];
  return name ? colour(name, text) : text;
}
