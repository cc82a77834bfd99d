import { isForm } from '../core/http/is-form.ts';
import { payloadText } from '../core/text/payload-text.ts';
import { type AiEvent, type EventPayload, parsePayload, payloadOf } from './event-input.ts';
import { jsonValue, ndjsonArray } from './ndjson.ts';

/**
 * The part of a body that the main thread parses, bytes. 128 KiB take some milliseconds. 10 MiB
 * would delay captures by a tenth of a second.
 */
const MAX_READ_BYTES = 128 * 1024;
/** The deepest nesting that `closedJson` closes. */
const MAX_OPEN = 1000;
/** An integer with this many digits may exceed 2^53. `JSON.parse` would round it. */
const MAY_BE_ROUNDED = /\d{16}/;
const NUMBER = /-?\d+(\.\d+)?([eE][+-]?\d+)?/y;

export interface BodyView {
  payload: EventPayload;
  /** Whether the payload covers only the body's beginning. */
  isCut: boolean;
}

const views = new WeakMap<AiEvent, BodyView>();

/**
 * Parses a body for an explanation or a prompt, in bounded time. A large body is cut, and the cut
 * text's open brackets are closed. A whole number that a double can't hold becomes a string of its
 * digits, so ids stay exact.
 */
export function bodyView(event: AiEvent): BodyView {
  const known = views.get(event);
  if (known) return known;
  const view = makeView(event);
  views.set(event, view);
  return view;
}

function makeView(event: AiEvent): BodyView {
  const { body } = event;
  if (body.length <= MAX_READ_BYTES) {
    const payload = payloadOf(event);
    if (payload.kind !== 'json' && payload.kind !== 'ndjson') return { payload, isCut: false };
    const text = new TextDecoder().decode(body);
    if (!MAY_BE_ROUNDED.test(text)) return { payload, isCut: false };
    const isInForm = payload.kind === 'json' && payload.isInForm;
    return { payload: (isInForm ? formJson(text) : exactPayload(text)) ?? payload, isCut: false };
  }
  // With `stream`, the decoder drops a character that the cut splits.
  let text: string;
  try {
    const decoder = new TextDecoder('utf-8', { fatal: true });
    text = decoder.decode(body.subarray(0, MAX_READ_BYTES), { stream: true });
  } catch {
    return { payload: { kind: 'binary' }, isCut: true };
  }
  // The last line may be cut.
  const lines = text.slice(0, text.lastIndexOf('\n') + 1);
  const json = /^\s*[[{]/.test(text) ? (exactPayload(text) ?? exactPayload(lines)) : null;
  if (json) return { payload: json, isCut: true };
  const inner = isForm(event.contentType) ? formJson(text) : null;
  if (inner) return { payload: inner, isCut: true };
  const payload = parsePayload(Buffer.from(text), event.contentType);
  // If a string's closing quote lies beyond the cut, the payload is text.
  return { payload, isCut: true };
}

/** Parses JSON or NDJSON, which may be cut. Returns null if the text only begins like JSON. */
function exactPayload(text: string): EventPayload | null {
  const value = jsonValue(closedJson(text));
  if (value !== undefined) return { kind: 'json', value, isInForm: false };
  const lines = ndjsonArray(text);
  return lines === null
    ? null
    : { kind: 'ndjson', values: JSON.parse(closedJson(lines)) as unknown[] };
}

/** Parses the JSON in a form, which may be cut. Returns null if the form has no JSON. */
function formJson(form: string): EventPayload | null {
  const text = payloadText(new URLSearchParams(form));
  const value = text === null ? undefined : jsonValue(closedJson(text));
  return value === undefined ? null : { kind: 'json', value, isInForm: true };
}

/**
 * Cuts a JSON text at its last bracket or comma, and closes the open brackets. Quotes whole numbers
 * that a double can't represent. Invalid JSON stays invalid.
 */
export function closedJson(text: string): string {
  const open: string[] = [];
  const parts: string[] = [];
  let copied = 0;
  // The last place where the text can be cut, and how much had been copied before it.
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

/**
 * Returns the index after a string's closing quote, or the end of the text if there is no such
 * quote.
 */
function endOfString(text: string, start: number): number {
  for (let i = start + 1; i < text.length; i++) {
    const char = text[i];
    if (char === '\\') i++;
    else if (char === '"') return i + 1;
  }
  return text.length;
}
