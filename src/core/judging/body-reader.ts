import { isUtf8 } from 'node:buffer';
import { type BodyDocument, bodyDocument } from '../rules/body-document.ts';
import type { PathStep } from '../rules/path.ts';
import { type BodyReader, MAX_TYPED_BODY_BYTES } from '../rules/request-parts.ts';
import { RuleTooCostly } from '../rules/work.ts';
import { jsonAt } from './json-at.ts';
import type { UnjudgedReason } from './unjudged.ts';

const BYTE_ORDER_MARK = Buffer.from('\ufeff');

/** Returns a reader that always throws `RuleTooCostly`. */
export function unreadable(reason: UnjudgedReason): BodyReader {
  return () => {
    throw new RuleTooCostly(reason);
  };
}

/**
 * Returns a reader that reads only the given paths of a large body. Its time and memory don't
 * depend on the number of values in the body.
 *
 * The reader throws `RuleTooCostly` if a form has too many fields, or if `[*]` matches too many
 * elements.
 */
export function readerAt(paths: readonly (readonly PathStep[])[]): BodyReader {
  return (bytes, contentType): BodyDocument => {
    if (bytes.length <= MAX_TYPED_BODY_BYTES) return bodyDocument(bytes, contentType);
    if (!isUtf8(bytes)) return { body: undefined, form: undefined };
    const json = jsonAt(withoutMark(bytes), paths);
    if (json !== undefined) return { body: json, form: undefined };
    return bodyDocument(bytes, contentType);
  };
}

function withoutMark(bytes: Buffer): Buffer {
  const isMarked = bytes.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK);
  return isMarked ? bytes.subarray(BYTE_ORDER_MARK.length) : bytes;
}
