import { stripVTControlCharacters, styleText } from 'node:util';
import { escapeControls } from '../../core/logger.ts';
import { displayWidth } from './display-width.ts';
import { indentJson } from './json-text.ts';
import { type Column, tableLines } from './table.ts';

export type { Column } from './table.ts';

/** Where a terminal doesn't tell its width. */
const DEFAULT_COLUMNS = 80;
const TAB = '    ';

export type Colour = 'red' | 'green' | 'yellow' | 'cyan' | 'bold' | 'dim';

/**
 * What a command says. Data goes to stdout, as strict JSON with `--json`;
 * everything for people's eyes alone goes to stderr, so that a pipe carries
 * data only. Whatever senders sent is stripped of control characters.
 */
export class Output {
  readonly json: boolean;

  constructor({ json }: { json: boolean }) {
    this.json = json;
  }

  /** One object: as JSON, or by `show` as lines for people. */
  object<T extends object>(value: T, show: (value: T) => [string, string][]): void {
    if (this.json) this.jsonValue(value);
    else this.pairs(show(value));
  }

  /** A value that only `--json` prints; for people the command has other words. */
  jsonValue(value: object): void {
    this.#print(inertJson(JSON.stringify(value, null, 2)));
  }

  /** Names and values, for people. */
  pairs(pairs: readonly (readonly [string, string])[]): void {
    const width = Math.max(0, ...pairs.map(([name]) => displayWidth(name)));
    for (const [name, text] of pairs) {
      this.#print(`${dim(`${name}:`.padEnd(width + 1))} ${printable(text)}`.trimEnd());
    }
  }

  /** Many: as a JSON array, or as a table that fits the terminal. */
  table<T>(rows: readonly T[], columns: readonly Column<T>[], empty: string): void {
    if (this.json) this.jsonValue(rows);
    else this.rows(rows, columns, empty);
  }

  /** A table, for people. In a pipe nothing is cut. */
  rows<T>(rows: readonly T[], columns: readonly Column<T>[], empty: string): void {
    if (rows.length === 0) {
      this.note(printable(empty));
      return;
    }
    const { isTTY, columns: width } = process.stdout;
    // Some terminals say 0.
    const surface = { width: isTTY ? width || DEFAULT_COLUMNS : Number.POSITIVE_INFINITY, dim };
    for (const line of tableLines(rows, columns, surface, printable)) this.#print(line);
  }

  /** JSON as the server sent it: numbers stay exact, which parsing would round. */
  jsonText(text: string): void {
    this.#print(inertJson(indentJson(text)));
  }

  /** One object a line, for streams. */
  ndjson(value: object): void {
    this.#print(inertJson(JSON.stringify(value)));
  }

  /** Text from elsewhere that has lines: code, explanations, bodies. */
  text(text: string): void {
    this.#print(printableLines(text).replace(/\n+$/, ''));
  }

  /** A line of data for people; the caller has stripped it. */
  line(text: string): void {
    this.#print(text);
  }

  /** Exactly these bytes. */
  bytes(bytes: Uint8Array): void {
    process.stdout.write(bytes);
  }

  /** Something to know, on stderr. */
  note(text: string): void {
    process.stderr.write(`${text}\n`);
  }

  #print(text: string): void {
    process.stdout.write(`${text}\n`);
  }
}

/** Whether a stream takes colours: a terminal, and nobody said NO_COLOR (https://no-color.org). */
export function hasColors(stream: NodeJS.WriteStream = process.stdout): boolean {
  return stream.isTTY === true && !process.env.NO_COLOR && process.env.TERM !== 'dumb';
}

export function dim(text: string): string {
  return colour('dim', text);
}

/** For stdout. */
export function colour(name: Colour, text: string): string {
  return hasColors() ? styleText(name, text, { validateStream: false }) : text;
}

/** Text from elsewhere, on one line and inert. */
export function printable(text: string): string {
  return escapeControls(stripVTControlCharacters(text));
}

/** Text from elsewhere, inert, its lines and tabs kept. */
export function printableLines(text: string): string {
  return text
    .split(/\r?\n/)
    .map((line) =>
      line
        .split('\t')
        .map(printable)
        .join(process.stdout.isTTY ? TAB : '\t'),
    )
    .join('\n');
}

/**
 * JSON that means the same and that a terminal only shows. Blanks aside, what
 * `escapeControls` escapes can stand inside strings alone, where `\uXXXX` is the
 * same character.
 */
function inertJson(text: string): string {
  return text
    .split('\n')
    .map((line) => escapeControls(line.replace(/[\t\r]/g, ' ')))
    .join('\n');
}
