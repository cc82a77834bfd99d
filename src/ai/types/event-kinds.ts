import type { TypeShape } from './shape.ts';

/** Length of a text that names a kind of event, characters. */
const MAX_LENGTH = 99;
/** Kinds of event in one payload. With more of them, any text is allowed. */
const MAX_KINDS = 12;
/** The form of a text that names a kind of event. It can't break out of generated code. */
const KIND = /^[A-Za-z0-9][A-Za-z0-9 ._:/-]{0,98}$/;
/** Members of the payload, or of its items, that name the kind of event. */
export const DISCRIMINATORS: ReadonlySet<string> = new Set(
  'type action event event_type eventType event_name topic object_kind webhookEvent eventKey RecordType'.split(
    ' ',
  ),
);
/** Members one level deeper that name the kind of event, by their parent member. */
export const INNER_DISCRIMINATORS: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['event', new Set(['type', 'event_type'])],
  ['event-data', new Set(['event'])],
]);

/** Adds the string between two offsets of a JSON text to a shape whose texts name kinds of event. */
export function noteKind(shape: TypeShape, json: string, start: number, end: number): void {
  if (shape.kinds === null) return;
  const text = end - start <= MAX_LENGTH ? json.slice(start, end) : '';
  if (KIND.test(text) && (shape.kinds.size < MAX_KINDS || shape.kinds.has(text))) {
    shape.kinds.add(text);
  } else shape.kinds = null;
}
