import { stripVTControlCharacters, styleText } from 'node:util';
import { counted } from '../../../core/text/words.ts';
import { clockText, sourceText } from '../../events/event-line.ts';
import { cutToWidth, displayWidth } from '../../terminal/display-width.ts';
import { dim, printable } from '../../terminal/output.ts';
import { forwardText } from './forward-line.ts';
import { hasSeveralTargets, infoLines } from './info-lines.ts';
import type { ScreenPane } from './screen-pane.ts';
import { type ForwardRow, failedRows, type ScreenState, shownRows } from './screen-state.ts';

export interface ScreenSize {
  columns: number;
  rows: number;
}

/** Lines that aren't rows: title, blank, blank, message, keys. */
const FRAME_LINES = 5;
const LEAST_ROW_LINES = 3;

/** Returns all lines of the screen. The terminal clips lines that are too long. */
export function screenLines(state: ScreenState, size: ScreenSize, now: number): string[] {
  const lines = state.pane ? paneLines(state.pane, size) : mainLines(state, size, now);
  // Another line would scroll the terminal.
  return lines.slice(0, size.rows);
}

function mainLines(state: ScreenState, size: ScreenSize, now: number): string[] {
  // Wrap capture URLs instead of cutting them, because people copy them.
  const about = state.info ? wrapped(infoLines(state.info), size) : [];
  const room = Math.max(LEAST_ROW_LINES, size.rows - FRAME_LINES - about.length);
  // In a low window, rows matter more than URLs.
  const aboutRoom = Math.max(0, size.rows - FRAME_LINES - LEAST_ROW_LINES);
  return [
    titleLine(state),
    ...about.slice(0, aboutRoom),
    '',
    ...rowLines(state, size.columns, room, now),
    '',
    state.message === null ? '' : cutToWidth(state.message, size.columns),
    keysLine(state, size),
  ];
}

export function pageLines({ rows }: ScreenSize): number {
  return Math.max(1, rows - 3);
}

/** Removes the colours of lines that are too long. */
export function wrapped(lines: readonly string[], { columns }: ScreenSize): string[] {
  return lines.flatMap((line) => {
    if (visibleWidth(line) <= columns) return line;
    const parts: string[] = [''];
    let width = 0;
    for (const char of stripVTControlCharacters(line)) {
      const charWidth = displayWidth(char);
      if (width + charWidth > columns) {
        parts.push('');
        width = 0;
      }
      parts[parts.length - 1] += char;
      width += charWidth;
    }
    return parts;
  });
}

function titleLine({ info, isConnected, rows }: ScreenState): string {
  const light = isConnected ? styleText('green', '● live') : styleText('yellow', '○ reconnecting');
  const done = rows.filter(({ outcome }) => outcome !== null).length;
  return `${styleText('bold', 'hookrelay listen')}  ${light}  ${dim(`${info?.server ?? ''}  ${counted(done, 'forward')}`)}`;
}

function rowLines(state: ScreenState, columns: number, room: number, now: number): string[] {
  const rows = shownRows(state);
  if (rows.length === 0) return filled([dim('  waiting for the first webhook')], room);
  const namesTarget = state.info !== null && hasSeveralTargets(state.info);
  const at = rows.findIndex(({ forward }) => forward.key === state.selected);
  const from = Math.max(0, Math.min(at, rows.length - room));
  const lines = rows
    .slice(from, from + room)
    .map((row) => rowLine(row, row.forward.key === state.selected, columns, namesTarget, now));
  return filled(lines, room);
}

function rowLine(
  row: ForwardRow,
  isSelected: boolean,
  columns: number,
  namesTarget: boolean,
  now: number,
): string {
  const { event } = row.forward;
  const mark = isSelected ? styleText('bold', '▸') : ' ';
  const left = `${mark} ${dim(clockText(event.received_at, now))}  ${forwardText(row, { namesTarget })}`;
  const source = sourceText(event);
  const isRoomy = visibleWidth(left) + 2 + displayWidth(source) <= columns;
  return source !== '' && isRoomy ? `${left}  ${dim(source)}` : left;
}

function visibleWidth(text: string): number {
  return displayWidth(printable(text));
}

/** A narrow screen gets shorter words. */
function keysLine(state: ScreenState, { columns }: ScreenSize): string {
  const failed = failedRows(state).length;
  const line = (copyCurl: string, copyUrl: string) =>
    [
      ['j/k', 'select'],
      ['r', 'send again'],
      ...(failed > 0 ? [['R', `all failed (${failed})`]] : []),
      ['d', 'details'],
      ['c', copyCurl],
      ['y', copyUrl],
      ['q', 'quit'],
    ]
      .map(([key, what]) => `${styleText('bold', key as string)} ${dim(what as string)}`)
      .join('  ');
  const whole = line('copy as curl', 'copy URL');
  // Must be shorter than the screen. After a full line, the cursor stays on the last character.
  // Clearing the rest of the screen would then erase that character.
  return visibleWidth(whole) < columns ? whole : line('curl', 'URL');
}

function paneLines({ title, lines, top }: ScreenPane, size: ScreenSize): string[] {
  const page = pageLines(size);
  const isMore = lines.length > page;
  const range = `  ${top + 1}–${Math.min(lines.length, top + page)} of ${lines.length}`;
  return [
    `${styleText('bold', title)}${isMore ? dim(range) : ''}`,
    ...filled(lines.slice(top, top + page), page),
    '',
    `${styleText('bold', 'j/k')} ${dim('scroll')}  ${styleText('bold', 'Esc')} ${dim('back')}`,
  ];
}

function filled(lines: string[], count: number): string[] {
  return [...lines, ...new Array<string>(Math.max(0, count - lines.length)).fill('')];
}
