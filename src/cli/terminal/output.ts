import { stripVTControlCharacters, styleText } from 'node:util';
import { escapeControls } from '../../core/text/escape-controls.ts';
import { displayWidth, wrapWords } from './display-width.ts';
import { indentJson } from './json-text.ts';
import { type Column, tableLines } from './table.ts';

export type { Column } from './table.ts';

/** Width of a terminal that doesn't report one. */
export const DEFAULT_COLUMNS = 80;
const TAB = '    ';

export type Colour = 'red' | 'green' | 'yellow' | 'cyan' | 'bold' | 'dim';

/** A name and its value. An empty value isn't printed. */
export type Pair = readonly [name: string, text: string | false | null | undefined];

/**
 * Prints a command's results. Data goes to stdout, and with `--json` it is strict JSON. Notes go to
 * stderr, so that a pipe gets only data. Control characters from senders are removed or escaped.
 */
export class Output {
  readonly json: boolean;

  constructor({ json }: { json: boolean }) {
    this.json = json;
  }

  object<T extends object>(value: T, show: (value: T) => Pair[]): void {
    if (!this.asJson(value)) this.pairs(show(value));
  }

  /** Prints a value with `--json`. Returns whether it printed. */
  asJson(value: object): boolean {
    if (this.json) this.jsonValue(value);
    return this.json;
  }

  done(value: object, note: string): void {
    if (!this.asJson(value)) this.note(note);
  }

  /** Prints the server's JSON text with `--json`. Returns whether it printed. */
  asJsonText(text: string): boolean {
    // Don't parse the text, because parsing would round its numbers.
    if (this.json) this.#print(inertJson(indentJson(text)));
    return this.json;
  }

  jsonValue(value: object): void {
    this.#print(inertJson(JSON.stringify(value, null, 2)));
  }

  /** Prints names and values for people. Omits empty values. Wraps long values on a terminal. */
  pairs(given: readonly Pair[]): void {
    const pairs = given.flatMap(([name, text]) => (text ? [[name, text] as const] : []));
    const width = Math.max(0, ...pairs.map(([name]) => displayWidth(name)));
    const indent = ' '.repeat(width + 2);
    const { isTTY, columns } = process.stdout;
    const room = isTTY ? (columns || DEFAULT_COLUMNS) - indent.length : Number.POSITIVE_INFINITY;
    for (const [name, text] of pairs) {
      const value = wrapWords(printable(text), room).join(`\n${indent}`);
      this.#print(`${dim(`${name}:`.padEnd(width + 1))} ${value}`.trimEnd());
    }
  }

  table<T>(rows: readonly T[], columns: readonly Column<T>[], empty: string): void {
    if (!this.asJson(rows)) this.rows(rows, columns, empty);
  }

  /** Prints a table for people. A pipe gets its full width. */
  rows<T>(rows: readonly T[], columns: readonly Column<T>[], empty: string): void {
    if (rows.length === 0) {
      this.note(printable(empty));
      return;
    }
    const { isTTY, columns: width } = process.stdout;
    // Some terminals report 0 columns.
    const surface = { width: isTTY ? width || DEFAULT_COLUMNS : Number.POSITIVE_INFINITY, dim };
    for (const line of tableLines(rows, columns, surface, printable)) this.#print(line);
  }

  /**
   * Prints an object on one line with `--json`, otherwise a text.
   *
   * @param text must have no control characters
   */
  item(value: object, text: string): void {
    if (this.json) this.ndjson(value);
    else this.line(text);
  }

  ndjson(value: object): void {
    this.#print(inertJson(JSON.stringify(value)));
  }

  /** Prints untrusted text, such as code or a body. */
  text(text: string): void {
    this.#print(printableLines(text).replace(/\n+$/, ''));
  }

  /** Prints a line for people. Callers must remove control characters first. */
  line(text: string): void {
    this.#print(text);
  }

  bytes(bytes: Uint8Array): void {
    process.stdout.write(bytes);
  }

  /** Prints a note on stderr. Callers must remove control characters first. */
  note(text: string): void {
    process.stderr.write(`${text}\n`);
  }

  #print(text: string): void {
    process.stdout.write(`${text}\n`);
  }
}

/**
 * `styleText` asks stdout whether it shows colours. It heeds NO_COLOR and FORCE_COLOR
 * (https://no-color.org, https://force-color.org).
 */
export function dim(text: string): string {
  return styleText('dim', text);
}

/** Removes control characters, which could change the terminal. Puts the text on one line. */
export function printable(text: string): string {
  return escapeControls(stripVTControlCharacters(text));
}

/** Like `printable`, but keeps line breaks and tabs. */
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
 * Escapes control characters and keeps the JSON's meaning. Outside of strings, JSON has no control
 * characters except blanks. Inside strings, `\uXXXX` means the same character.
 */
function inertJson(text: string): string {
  return text
    .split('\n')
    .map((line) => escapeControls(line.replace(/[\t\r]/g, ' ')))
    .join('\n');
}
