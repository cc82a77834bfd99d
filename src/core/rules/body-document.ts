import { isUtf8 } from 'node:buffer';
import { isForm } from '../http/is-form.ts';
import { payloadText } from '../text/payload-text.ts';
import { parseDocument, type Value } from './document.ts';
import { refuseTooManyFields, refuseTooManyValues } from './work.ts';

/** A body as rules see it. */
export interface BodyDocument {
  /**
   * The body's JSON; for a form, its fields; otherwise its text. `undefined` if empty or binary.
   */
  body: Value | undefined;
  /**
   * The fields of a form by name. A repeated field is an array. `undefined` if the body is no form.
   */
  form: Value | undefined;
}

/**
 * Reads a body. A body is JSON if it parses as JSON: the content type doesn't matter. If a form has
 * a field `payload` with a JSON object or array, this object or array is the body.
 *
 * Throws `RuleTooCostly` if the body has too many values.
 */
export function bodyDocument(bytes: Buffer, contentType: string | null): BodyDocument {
  if (bytes.length === 0 || !isUtf8(bytes)) return { body: undefined, form: undefined };
  // TextDecoder removes a byte order mark, which JSON parsers refuse.
  const text = new TextDecoder().decode(bytes);
  const json = documentOf(text);
  if (json !== undefined) return { body: json, form: undefined };
  if (!isForm(contentType)) return { body: text, form: undefined };
  refuseTooManyFields(text);
  const pairs = new URLSearchParams(text);
  const form = fieldsOf(pairs);
  const payload = payloadText(pairs);
  const inner = payload === null ? undefined : documentOf(payload);
  return { body: inner ?? form, form };
}

/** Returns values by name. A repeated name has an array of its values. */
export function fieldsOf(pairs: Iterable<[string, string]>): { [name: string]: Value } {
  const fields = new Map<string, string | string[]>();
  for (const [name, value] of pairs) {
    const before = fields.get(name);
    if (before === undefined) fields.set(name, value);
    else if (Array.isArray(before)) before.push(value);
    else fields.set(name, [before, value]);
  }
  return Object.fromEntries(fields);
}

function documentOf(text: string): Value | undefined {
  refuseTooManyValues(text);
  try {
    return parseDocument(text);
  } catch {
    return undefined;
  }
}
