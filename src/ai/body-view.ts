import { type AiEvent, type Payload, parsePayload, payloadOf } from './event-input.ts';
import { jsonValue, ndjsonArray } from './ndjson.ts';

/**
 * How much of a body is read on the main thread, bytes: parsing 128 KiB takes
 * some milliseconds, 10 MiB a tenth of a second that captures would wait for.
 */
const MAX_READ_BYTES = 128 * 1024;
/** What is deeper isn't read as JSON where only its beginning would be. */
const MAX_OPEN = 1000;
/** A longer run of digits may be past 2^53, where `JSON.parse` rounds. */
const MAY_BE_ROUNDED = /\d{16}/;
const NUMBER = /-?\d+(\.\d+)?([eE][+-]?\d+)?/y;

export interface BodyView {
  payload: Payload;
  /** Only the body's beginning was read. */
  isCut: boolean;
}

const views = new WeakMap<AiEvent, BodyView>();

/**
 * A body to be told about, in bounded time: of a large one the beginning, with
 * what is open there closed. Whole numbers that a double can't hold are strings
 * of their digits, so that no id is told wrong.
 */
export function bodyView(event: AiEvent): BodyView {
  const known = views.get(event);
  if (known) return known;
  const view = look(event);
  views.set(event, view);
  return view;
}

function look(event: AiEvent): BodyView {
  const { body } = event;
  if (body.length <= MAX_READ_BYTES) {
    const payload = payloadOf(event);
    if (payload.kind !== 'json' && payload.kind !== 'ndjson') return { payload, isCut: false };
    const text = new TextDecoder().decode(body);
    const exact = MAY_BE_ROUNDED.test(text) ? exactPayload(text) : null;
    return { payload: exact ?? payload, isCut: false };
  }
  // As a stream's beginning: a character cut in two is left out.
  let text: string;
  try {
    const decoder = new TextDecoder('utf-8', { fatal: true });
    text = decoder.decode(body.subarray(0, MAX_READ_BYTES), { stream: true });
  } catch {
    return { payload: { kind: 'binary' }, isCut: true };
  }
  // Of lines the last one may be cut.
  const lines = text.slice(0, text.lastIndexOf('\n') + 1);
  const json = /^\s*[[{]/.test(text) ? (exactPayload(text) ?? exactPayload(lines)) : null;
  if (json) return { payload: json, isCut: true };
  const payload = parsePayload(Buffer.from(text), event.contentType);
  // One long string or number in quotes that never end is no JSON: it is text.
  return { payload, isCut: true };
}

/** Of JSON or NDJSON, which may be cut; null for what only begins like it. */
function exactPayload(text: string): Payload | null {
  const value = jsonValue(closedJson(text));
  if (value !== undefined) return { kind: 'json', value };
  const lines = ndjsonArray(text);
  return lines === null
    ? null
    : { kind: 'ndjson', values: JSON.parse(closedJson(lines)) as unknown[] };
}

/**
 * The longest beginning of a JSON text that can be closed, closed; and long
 * whole numbers in quotes. Text that isn't JSON comes out as something that
 * isn't either.
 *
 * The end of the last bracket or comma is where to cut: nothing has opened or
 * closed since, so what is open at the end is what was open there.
 */
export function closedJson(text: string): string {
  const open: string[] = [];
  const parts: string[] = [];
  let copied = 0;
  // Where the text can be cut, and what had been copied by then.
  let end = { at: 0, parts: 0, copied: 0 };
  let i = 0;
  while (i < text.length) {
    const char = text[i] as string;
    if (char === '"') {
      i = endOfString(text, i);
      continue;
    }
    if (char === '{' || char === '[') {
      open.push(char === '{' ? '}' : ']');
      if (open.length > MAX_OPEN) return text;
      end = { at: i + 1, parts: parts.length, copied };
    } else if (char === '}' || char === ']') {
      open.pop();
      end = { at: i + 1, parts: parts.length, copied };
      if (open.length === 0) break;
    } else if (char === ',') {
      end = { at: i, parts: parts.length, copied };
    } else if (char === '-' || (char >= '0' && char <= '9')) {
      NUMBER.lastIndex = i;
      const number = NUMBER.exec(text)?.[0] ?? char;
      if (number.length > 15 && /^-?\d+$/.test(number) && !Number.isSafeInteger(Number(number))) {
        parts.push(text.slice(copied, i), '"', number, '"');
        copied = i + number.length;
      }
      i += number.length;
      continue;
    }
    i++;
  }
  if (open.length === 0) return parts.join('') + text.slice(copied);
  const kept = parts.slice(0, end.parts).join('') + text.slice(end.copied, end.at);
  return kept + open.reverse().join('');
}

/** The index after a string's closing quote, or the text's end. */
function endOfString(text: string, start: number): number {
  for (let i = start + 1; i < text.length; i++) {
    const char = text[i];
    if (char === '\\') i++;
    else if (char === '"') return i + 1;
  }
  return text.length;
}
