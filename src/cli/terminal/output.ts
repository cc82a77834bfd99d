import { stripVTControlCharacters, styleText } from 'node:util';
import { escapeControls } from '../../core/runtime/logger.ts';
import { displayWidth, wrapWords } from './display-width.ts';
import { indentJson } from './json-text.ts';
import { type Column, tableLines } from './table.ts';

export type { Column } from './table.ts';

/** Width of a terminal that doesn't report one. */
export const DEFAULT_COLUMNS = 80;
const TAB = '    ';

export type Colour = 'red' | 'green' | 'yellow' | 'cyan' | 'bold' | 'dim';

/** A name and its value. An empty value is not printed. */
export type Pair = readonly [name: string, text: string | false | null | undefined];

/**
 * What a command prints. Data goes to stdout, and with `--json` it is strict JSON. Notes for people
 * go to stderr, so that a pipe carries only data. Control characters that senders may have put into
 * text are removed or escaped.
 */
export class Output {
  readonly json: boolean;

  constructor({ json }: { json: boolean }) {
    this.json = json;
  }

  /** Prints one object, as JSON or as the lines that `show` returns. */
  object<T extends object>(value: T, show: (value: T) => Pair[]): void {
    if (!this.asJson(value)) this.pairs(show(value));
  }

  /** With `--json`, prints a value. Returns whether it printed. */
  asJson(value: object): boolean {
    if (this.json) this.jsonValue(value);
    return this.json;
  }

  /** With `--json`, prints a value. Otherwise prints a note. */
  done(value: object, note: string): void {
    if (!this.asJson(value)) this.note(note);
  }

  /** With `--json`, prints the JSON text of the server. Returns whether it printed. */
  asJsonText(text: string): boolean {
    // The text isn't parsed, because parsing would round its numbers.
    if (this.json) this.#print(inertJson(indentJson(text)));
    return this.json;
  }

  /** Prints a value as JSON. */
  jsonValue(value: object): void {
    this.#print(inertJson(JSON.stringify(value, null, 2)));
  }

  /** Prints names and values for people. Leaves out empty values. Wraps long ones on a terminal. */
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

  /** Prints rows, as a JSON array or as a table that fits the terminal. */
  table<T>(rows: readonly T[], columns: readonly Column<T>[], empty: string): void {
    if (!this.asJson(rows)) this.rows(rows, columns, empty);
  }

  /** Prints a table for people. A pipe gets it at its full width. */
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

  /** With `--json`, prints an object on one line. Otherwise prints an inert line for people. */
  item(value: object, text: string): void {
    if (this.json) this.ndjson(value);
    else this.line(text);
  }

  /** Prints an object on one line. For streams. */
  ndjson(value: object): void {
    this.#print(inertJson(JSON.stringify(value)));
  }

  /** Prints text of several lines that isn't trusted: code, explanations, bodies. */
  text(text: string): void {
    this.#print(printableLines(text).replace(/\n+$/, ''));
  }

  /** Prints a line for people. The caller must have made it inert. */
  line(text: string): void {
    this.#print(text);
  }

  /** Writes exactly these bytes. */
  bytes(bytes: Uint8Array): void {
    process.stdout.write(bytes);
  }

  /** Prints a note on stderr. */
  note(text: string): void {
    process.stderr.write(`${text}\n`);
  }

  #print(text: string): void {
    process.stdout.write(`${text}\n`);
  }
}

/** Returns whether a stream shows colours: a terminal, without NO_COLOR (https://no-color.org). */
export function hasColors(stream: NodeJS.WriteStream = process.stdout): boolean {
  return stream.isTTY === true && !process.env.NO_COLOR && process.env.TERM !== 'dumb';
}

export function dim(text: string): string {
  return colour('dim', text);
}

/** Colours text for stdout. */
export function colour(name: Colour, text: string): string {
  return hasColors() ? styleText(name, text, { validateStream: false }) : text;
}

/** Makes text that isn't trusted inert, and puts it on one line. */
export function printable(text: string): string {
  return escapeControls(stripVTControlCharacters(text));
}

/** Makes text that isn't trusted inert. Line breaks and tabs stay. */
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
 * Makes JSON inert and keeps its meaning. Outside of strings, JSON has no control characters except
 * blanks. Inside strings, `\uXXXX` means the same character.
 */
function inertJson(text: string): string {
  return text
    .split('\n')
    .map((line) => escapeControls(line.replace(/[\t\r]/g, ' ')))
    .join('\n');
}
