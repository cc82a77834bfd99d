import { isUtf8 } from 'node:buffer';
import { type BodyDocument, bodyDocument } from '../rules/body-document.ts';
import type { PathStep } from '../rules/path.ts';
import { type BodyReader, MAX_TYPED_BODY_BYTES } from '../rules/request-parts.ts';
import { RuleTooCostly } from '../rules/work.ts';
import { jsonAt } from './json-at.ts';
import type { UnjudgedReason } from './unjudged.ts';

const BYTE_ORDER_MARK = Buffer.from('\ufeff');

/** Reads no body. */
export function unreadable(reason: UnjudgedReason): BodyReader {
  return () => {
    throw new RuleTooCostly(reason);
  };
}

/**
 * Reads only the parts of a body that some paths lead to. Time and memory don't depend on the
 * number of its values. Throws `RuleTooCostly` for a form with too many fields and for a `[*]`
 * over too many elements.
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
