import { isUtf8 } from 'node:buffer';
import { isForm } from '../http/is-form.ts';
import { type BodyDocument, bodyDocument } from '../rules/body-document.ts';
import type { Step } from '../rules/path.ts';
import { type BodyReader, MAX_TYPED_BODY_BYTES } from '../rules/request-parts.ts';
import { RuleTooCostly } from '../rules/work.ts';
import { jsonAt } from './json-at.ts';
import { ARRAY, BACKSLASH, COMMA, OBJECT, QUOTE, spaceEnd } from './json-end.ts';
import type { UnjudgedReason } from './unjudged.ts';

/**
 * Values of a body that is parsed: members, elements, fields of a form. So many take up to
 * some seconds and 200 MB.
 */
const MOST_VALUES = 2_000_000;
/** Fewer bytes can't have more values: `1,`. */
const BYTES_OF_MOST = 2 * MOST_VALUES;
const BYTE_ORDER_MARK = Buffer.from('\ufeff');
const AMPERSAND = 0x26;

/** Reads a body unless it has too many values. Counts them at most once. */
export function boundedReader(): BodyReader {
  let isTooLarge: boolean | undefined;
  return (bytes, contentType) => {
    isTooLarge ??= bytes.length > BYTES_OF_MOST && valuesIn(bytes, contentType) > MOST_VALUES;
    if (isTooLarge) throw new RuleTooCostly('too_large');
    return bodyDocument(bytes, contentType);
  };
}

/** Reads no body. */
export function unreadable(reason: UnjudgedReason): BodyReader {
  return () => {
    throw new RuleTooCostly(reason);
  };
}

/**
 * Reads a body as far as some paths look into it, in a time and a memory that don't depend
 * on its number of values. Throws `RuleTooCostly` for a form of too many fields, and for a
 * `[*]` of too many elements.
 */
export function readerAt(paths: readonly (readonly Step[])[]): BodyReader {
  return (bytes, contentType): BodyDocument => {
    if (bytes.length <= MAX_TYPED_BODY_BYTES) return bodyDocument(bytes, contentType);
    if (!isUtf8(bytes)) return { body: undefined, form: undefined };
    const json = jsonAt(withoutMark(bytes), paths);
    if (json !== undefined) return { body: json, form: undefined };
    return boundedReader()(bytes, contentType);
  };
}

/** At least as many as there are: a comma and an opening bracket stand before most values. */
function valuesIn(bytes: Buffer, contentType: string | null): number {
  const start = spaceEnd(withoutMark(bytes), 0);
  const first = withoutMark(bytes)[start];
  if (first !== OBJECT && first !== ARRAY) {
    return isForm(contentType) ? countOf(bytes, AMPERSAND) + 1 : 1;
  }
  let values = 1;
  for (let i = start; i < bytes.length; i++) {
    const byte = bytes[i];
    if (byte === COMMA || byte === ARRAY || byte === OBJECT) values++;
    else if (byte === QUOTE) i = quotedEnd(bytes, i + 1);
  }
  return values;
}

/** Where the next quote is that no backslash escapes. */
function quotedEnd(bytes: Buffer, at: number): number {
  let end = at;
  while (end < bytes.length && bytes[end] !== QUOTE) end += bytes[end] === BACKSLASH ? 2 : 1;
  return end;
}

function countOf(bytes: Buffer, byte: number): number {
  let count = 0;
  for (let at = bytes.indexOf(byte); at !== -1; at = bytes.indexOf(byte, at + 1)) count++;
  return count;
}

function withoutMark(bytes: Buffer): Buffer {
  const isMarked = bytes.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK);
  return isMarked ? bytes.subarray(BYTE_ORDER_MARK.length) : bytes;
}
