import { isUtf8 } from 'node:buffer';

/** A body as its sender may have spelled and signed it. */
interface Spelling {
  /** Follows "the body that was signed is ". */
  name: string;
  body: Buffer;
}

/** Deeper JSON isn't spelled otherwise: each line would be indented by its depth. */
const MOST_DEPTH = 32;

const PLAIN = (text: string) => text;
/** As Python's `json` and Meta write characters beyond ASCII. */
const ASCII = (text: string) =>
  text.replace(
    /[\u007f-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
/** As PHP writes slashes. */
const SLASHES = (text: string) => text.replaceAll('/', '\\/');
/** As Go and Rails write what HTML would read. */
const HTML = (text: string) =>
  text.replace(/[<>&\u2028\u2029]/g, (unit) => {
    return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
/** JSON with line breaks, on one line with blanks after commas and colons. */
const SPACED = (indented: string) => indented.replace(/,\n */g, ', ').replace(/\n */g, '');

/**
 * Other spellings of a body, the likeliest first: JSON as common programs print it, and any text
 * with other line ends. Numbers keep their digits. Lazy: the caller stops once one fits or the
 * tries cost too much.
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
  // Line ends are ASCII, so the encoding of the rest makes no difference.
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

/** TypeScript's libraries lack it. https://tc39.es/proposal-json-parse-with-source */
interface JsonWithSource {
  parse(
    text: string,
    reviver: (name: string, value: unknown, context: { source?: string }) => unknown,
  ): unknown;
  isRawJSON(value: unknown): boolean;
}

const WITH_SOURCE = JSON as unknown as JsonWithSource;

/**
 * A JSON document whose numbers keep their spelling, and the same with sorted members; undefined
 * for a text that is no JSON, or is nested too deeply.
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

/** Throws past `depth` levels. */
function sortedMembers(value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null || WITH_SOURCE.isRawJSON(value)) return value;
  if (depth === 0) throw new RangeError('the JSON is nested too deeply');
  if (Array.isArray(value)) return value.map((inner) => sortedMembers(inner, depth - 1));
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : Number(a > b)));
  return Object.fromEntries(
    members.map(([name, inner]) => [name, sortedMembers(inner, depth - 1)]),
  );
}
