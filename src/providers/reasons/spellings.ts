import { isUtf8 } from 'node:buffer';

interface Spelling {
  /** Follows "the body that was signed is ". */
  name: string;
  body: Buffer;
}

/** The deepest JSON to respell. Indentation makes deeper JSON much longer. */
const MOST_DEPTH = 32;

const PLAIN = (text: string) => text;
/** Writes non-ASCII characters as `\u` escapes, as Python's `json` and Meta do. */
const ASCII = (text: string) =>
  text.replace(
    /[\u007f-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
/** Escapes slashes, as PHP does. */
const SLASHES = (text: string) => text.replaceAll('/', '\\/');
/** Escapes characters with a meaning in HTML, as Go and Rails do. */
const HTML = (text: string) =>
  text.replace(/[<>&\u2028\u2029]/g, (unit) => {
    return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
/** Puts indented JSON on one line, with spaces after commas and colons. */
const SPACED = (indented: string) => indented.replace(/,\n */g, ', ').replace(/\n */g, '');

/**
 * Returns other spellings of a body, the likeliest first: JSON as common programs print it, and
 * text with other line ends. Numbers keep their digits. A generator, because the caller stops at a
 * match or at its limit.
 */
export function* spellings(body: Buffer): Generator<Spelling> {
  const seen = new Set([body.toString('latin1')]);
  for (const { name, text, encoding } of all(body)) {
    const bytes = Buffer.from(text, encoding);
    const known = bytes.toString('latin1');
    if (seen.has(known)) continue;
    seen.add(known);
    yield { name, body: bytes };
  }
}

interface Text {
  name: string;
  text: string;
  encoding: 'utf8' | 'latin1';
}

function* all(body: Buffer): Generator<Text> {
  // Latin-1 keeps every byte, and line ends are ASCII, so the body's encoding doesn't matter here.
  const text = body.toString('latin1');
  const bare = text.replace(/[\r\n]+$/, '');
  const encoding = 'latin1';
  yield { name: 'without its last line break', text: bare, encoding };
  yield { name: 'with a line break at its end', text: `${bare}\n`, encoding };
  yield { name: 'with the line ends LF', text: text.replaceAll('\r\n', '\n'), encoding };
  const unix = text.replaceAll('\r\n', '\n');
  yield { name: 'with the line ends CRLF', text: unix.replaceAll('\n', '\r\n'), encoding };
  if (!isUtf8(body)) return;
  for (const { name, text } of respelled(body.toString('utf8'))) {
    yield { name, text, encoding: 'utf8' };
    yield { name: `${name}, with a line break at its end`, text: `${text}\n`, encoding: 'utf8' };
  }
}

function* respelled(text: string): Generator<{ name: string; text: string }> {
  const document = documentOf(text);
  if (document === undefined) return;
  const { sorted } = document;
  const write = (value: unknown, indent?: number) => JSON.stringify(value, null, indent);
  const compact = write(document.value);
  const indented = write(document.value, 2);
  yield { name: 'compact JSON', text: compact };
  yield { name: 'compact JSON with \\u escapes', text: ASCII(compact) };
  yield { name: 'JSON as PHP writes it', text: SLASHES(ASCII(compact)) };
  yield { name: 'JSON as Python writes it', text: ASCII(SPACED(indented)) };
  yield { name: 'JSON with blanks after commas and colons', text: SPACED(indented) };
  yield { name: 'compact JSON with escaped slashes', text: SLASHES(compact) };
  yield { name: 'JSON as Go writes it', text: HTML(compact) };
  yield { name: 'JSON with two blanks of indentation', text: indented };
  yield { name: 'JSON with four blanks of indentation', text: write(document.value, 4) };
  for (const [escapes, how] of [
    [PLAIN, ''],
    [ASCII, ' and \\u escapes'],
  ] as const) {
    yield { name: `compact JSON with sorted members${how}`, text: escapes(write(sorted)) };
    const spaced = escapes(SPACED(write(sorted, 2)));
    yield { name: `JSON with blanks, sorted members${how}`, text: spaced };
  }
  yield { name: 'JSON as JavaScript writes it', text: write(JSON.parse(text)) };
}

/**
 * The part of `JSON` that TypeScript's libraries lack.
 *
 * https://tc39.es/proposal-json-parse-with-source
 */
interface JsonWithSource {
  parse(
    text: string,
    reviver: (name: string, value: unknown, context: { source?: string }) => unknown,
  ): unknown;
  isRawJSON(value: unknown): boolean;
}

const WITH_SOURCE = JSON as unknown as JsonWithSource;

/**
 * Parses a JSON document, keeping the spelling of numbers. Returns the document unchanged and with
 * sorted members. Returns undefined if the text isn't JSON, or is nested too deeply.
 */
function documentOf(text: string): { value: unknown; sorted: unknown } | undefined {
  try {
    const value = WITH_SOURCE.parse(text, (_name, inner, { source }) =>
      typeof inner === 'number' && source !== undefined ? JSON.rawJSON(source) : inner,
    );
    return { value, sorted: sortedMembers(value, MOST_DEPTH) };
  } catch {
    return undefined;
  }
}

/** Returns the value with sorted members. Throws if it has more than `depth` levels. */
function sortedMembers(value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null || WITH_SOURCE.isRawJSON(value)) return value;
  if (depth === 0) throw new RangeError('the JSON is nested too deeply');
  if (Array.isArray(value)) return value.map((inner) => sortedMembers(inner, depth - 1));
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : Number(a > b)));
  return Object.fromEntries(
    members.map(([name, inner]) => [name, sortedMembers(inner, depth - 1)]),
  );
}
