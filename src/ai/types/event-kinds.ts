import type { TypeShape } from './shape.ts';

/** The longest text that names a kind of event, characters. */
const MAX_LENGTH = 99;
/**
 * The largest number of kinds of event in one payload. With more of them, the type allows any text.
 */
const MAX_KINDS = 12;
/**
 * What a text that names a kind of event must look like. Such a text can't break out of generated
 * code.
 */
const KIND = /^[A-Za-z0-9][A-Za-z0-9 ._:/-]{0,98}$/;
/** Names of members that tell the kind of event, in the payload or in its items. */
export const DISCRIMINATORS: ReadonlySet<string> = new Set(
  'type action event event_type eventType event_name topic object_kind webhookEvent eventKey RecordType'.split(
    ' ',
  ),
);
/**
 * Names of members one level deeper that tell the kind of event, by the name of the member that
 * holds them.
 */
export const INNER_DISCRIMINATORS: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['event', new Set(['type', 'event_type'])],
  ['event-data', new Set(['event'])],
]);

/**
 * Adds a string to a shape whose texts name kinds of event. The string lies between two offsets of
 * a JSON text.
 */
export function noteKind(shape: TypeShape, json: string, start: number, end: number): void {
  if (shape.kinds === null) return;
  const text = end - start <= MAX_LENGTH ? json.slice(start, end) : '';
  if (KIND.test(text) && (shape.kinds.size < MAX_KINDS || shape.kinds.has(text))) {
    shape.kinds.add(text);
  } else shape.kinds = null;
}
