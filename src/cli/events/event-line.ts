import { styleText } from 'node:util';
import type { StreamedAttempt } from '../../api/deliveries/attempt-answer.ts';
import type { EventSummaryAnswer } from '../../api/events/event-answer.ts';
import { isSuccess } from '../../core/http/is-success.ts';
import { formatDuration, formatRelativeTime } from '../../core/text/duration.ts';
import { formatSize } from '../../core/text/size.ts';
import { cutToWidth, displayWidth, padToWidth } from '../terminal/display-width.ts';
import { dim, printable } from '../terminal/output.ts';
import { paintStatus } from '../terminal/value-text.ts';
import { checkText, typeText } from './event-tables.ts';

/** Widths of the columns, in characters. A longer text shifts the rest of the line. */
const STATUS_WIDTH = 'dead_letter'.length;
const METHOD_WIDTH = 'DELETE'.length;
const PATH_WIDTH = 28;
const SIZE_WIDTH = '999.9 KB'.length;
/** The smallest width of a path or URL. A line that is too long drops other parts first. */
const LEAST_FLEXIBLE = 12;
const GAP = '  ';

/** Live views show only these results of checks. */
const UNUSUAL: ReadonlySet<string> = new Set(['failed', 'duplicate', 'conflict', 'unjudged']);

export interface LineSurface {
  /** Width of the terminal, in columns; infinite in a pipe. */
  columns: number;
  /** The server's URL, for links; null if lines have no links. */
  server: string | null;
  now: number;
}

export function stdoutSurface(server: string): LineSurface {
  const { isTTY, columns = 80 } = process.stdout;
  return {
    columns: isTTY ? columns : Number.POSITIVE_INFINITY,
    server: process.stdout.hasColors?.() ? server : null,
    now: Date.now(),
  };
}

/** Returns a line such as `12:03:11  received  POST  /push  1.2 KB  github push  evt_…`. */
export function eventLine(event: EventSummaryAnswer, surface: LineSurface): string {
  const before = [
    dim(clockText(event.received_at, surface.now)),
    paintStatus(event.status.padEnd(STATUS_WIDTH), event.status),
    printable(event.method).padEnd(METHOD_WIDTH),
  ];
  const source = sourceText(event);
  const path = pathText(event);
  const size = formatSize(event.size).padStart(SIZE_WIDTH);
  const check = checkText(event);
  const from = [
    ...(source === '' ? [] : [styleText('cyan', source)]),
    ...(UNUSUAL.has(check) ? [styleText('yellow', check)] : []),
  ];
  const id = eventLink(event.id, surface.server);
  return fitted(surface.columns, path, [
    (path, room) => {
      const column = padToWidth(path, Math.min(PATH_WIDTH, room), 'right');
      return [...before, column, size, ...from, id];
    },
    (path) => [...before, path, ...from, id],
    (path) => [...before, path, id],
  ]);
}

/** Returns a line such as `12:03:12  succeeded  attempt 1  200 (12 ms)  https://…  evt_…`. */
export function attemptLine(attempt: StreamedAttempt, surface: LineSurface): string {
  const { attempted_at, response_code, destination_url, event_id, next_attempt_at } = attempt;
  const againMs = next_attempt_at === null ? 0 : Date.parse(next_attempt_at) - surface.now;
  // If another attempt has followed, this time is in the past.
  const again = againMs > 0 ? [dim(`again ${formatRelativeTime(againMs)}`)] : [];
  const time = dim(clockText(attempted_at, surface.now));
  // Show this attempt's result, because the event may have other destinations.
  const result = isSuccess(response_code) ? 'succeeded' : 'failed';
  const status = paintStatus(result.padEnd(STATUS_WIDTH), result);
  const number = `attempt ${attempt.attempt}`;
  const outcome = outcomeText(response_code, attempt.error, attempt.duration_ms);
  const url = printable(destination_url);
  const id = eventLink(event_id, surface.server);
  return fitted(surface.columns, url, [
    (url) => [time, status, number, outcome, url, ...again, id],
    (url) => [time, number, outcome, url, ...again, id],
    (url) => [time, number, outcome, url, id],
    () => [time, number, outcome, id],
  ]);
}

/** Returns a text such as `12:03:12  open  https://…  deliveries wait until a probe succeeds`. */
export function healthLine(
  { attempted_at, destination_url }: StreamedAttempt,
  health: string,
  surface: LineSurface,
): string {
  const time = dim(clockText(attempted_at, surface.now));
  const status = styleText(health === 'healthy' ? 'green' : 'red', health.padEnd(STATUS_WIDTH));
  const [what, short] = healthWords(health);
  return fitted(surface.columns, printable(destination_url), [
    (url) => [time, status, url, what],
    (url) => [time, status, url, short],
  ]);
}

function healthWords(health: string): [what: string, short: string] {
  if (health === 'open') return ['deliveries wait until a probe succeeds', 'deliveries wait'];
  if (health === 'refusing') return ['the destination refuses every event', 'refuses events'];
  return ['the destination answers again', 'answers again'];
}

/** Builds the parts of a line. Cuts `text` to `room` columns. */
type Version = (text: string, room: number) => string[];

/**
 * Returns the first version of a line that fits into `columns`, otherwise the last. Each version
 * has fewer parts than the one before.
 *
 * @param text may be cut to the remaining room, but not below `LEAST_FLEXIBLE`
 */
function fitted(columns: number, text: string, versions: Version[]): string {
  const least = Math.min(displayWidth(text), LEAST_FLEXIBLE);
  const line = (version: Version, room: number) => version(cutToWidth(text, room), room).join(GAP);
  for (const version of versions) {
    const room = columns - version('', 0).map(visible).join(GAP).length;
    if (room >= least) return line(version, room);
  }
  return line(versions.at(-1) as Version, least);
}

/** Returns a coloured text such as `200 (12 ms)` or `connect_refused (3 ms)`. */
export function outcomeText(
  code: number | null,
  error: { code: string } | null,
  durationMs: number,
): string {
  const what = code === null ? (error?.code ?? 'no response') : String(code);
  return `${styleText(isSuccess(code) ? 'green' : 'red', printable(what))} ${dim(`(${formatDuration(durationMs)})`)}`;
}

export function sourceText(event: EventSummaryAnswer): string {
  return printable(typeText(event));
}

export function pathText({ path }: { path: string }): string {
  return path === '' ? '/' : printable(path);
}

/** Returns the local time of day, with its date unless that is today. */
export function clockText(iso: string, now: number): string {
  const time = new Date(iso);
  const two = (n: number) => String(n).padStart(2, '0');
  const clock = [time.getHours(), time.getMinutes(), time.getSeconds()].map(two).join(':');
  if (time.toDateString() === new Date(now).toDateString()) return clock;
  return `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())} ${clock}`;
}

/** Returns the id, as a link to the event's page if `server` isn't null (OSC 8). */
export function eventLink(id: string, server: string | null): string {
  const text = printable(id);
  if (server === null) return text;
  return `\x1b]8;;${server}/events/${encodeURIComponent(id)}\x1b\\${text}\x1b]8;;\x1b\\`;
}

/** Returns as many blanks as the text has visible columns. */
function visible(text: string): string {
  return ' '.repeat(displayWidth(printable(text)));
}
