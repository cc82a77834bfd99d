import {
  FORMAT,
  type Literal,
  MAX_BYTES,
  MAX_LITERALS,
  MAX_VALUES,
  memberBytes,
  type PayloadShape,
  type ShapePlace,
  type Texts,
} from './shape.ts';
import { formatsOf } from './text-formats.ts';

/** The number of newest events that a literal value remembers. */
const MAX_EVENTS = 2;
/** The longest literal value, characters. */
const MAX_VALUE_LENGTH = 64;
/**
 * Matches one or a few words. Excludes addresses, paths and everything that ends a comment or a
 * string.
 */
const VALUE = /^[\p{L}\p{N}_][\p{L}\p{N}_ .:+-]*$/u;
const ALL_FORMATS = Object.values(FORMAT).reduce((all, format) => all | format, 0);

/**
 * Adds a string to a place.
 *
 * @param seq the event's number
 */
export function noteText(shape: PayloadShape, place: ShapePlace, text: string, seq: number): void {
  place.texts ??= { seen: 0, formats: ALL_FORMATS, distinct: 0, values: new Map() };
  const texts = place.texts;
  texts.seen++;
  if (texts.formats !== 0) texts.formats = formatsOf(text, texts.formats);
  if (texts.values !== null) noteValue(shape, texts, texts.values, text, seq);
}

function noteValue(
  shape: PayloadShape,
  texts: Texts,
  values: Map<string, Literal>,
  text: string,
  seq: number,
): void {
  const known = values.get(text);
  if (known) {
    // A value counts once for each event, because repetition in one array proves nothing.
    if (known.events.at(-1) === seq) return;
    known.count++;
    known.events.push(seq);
    if (known.events.length > MAX_EVENTS) known.events.shift();
    return;
  }
  texts.distinct++;
  const isWord = text.length <= MAX_VALUE_LENGTH && VALUE.test(text);
  const isFull = shape.literals >= MAX_LITERALS || shape.bytes >= MAX_BYTES;
  if (!isWord || isFull || texts.distinct > MAX_VALUES) {
    dropValues(shape, texts);
    return;
  }
  values.set(text, { count: 1, events: [seq] });
  shape.literals++;
  shape.bytes += memberBytes(text);
}

/** Stops listing a place's values. The place may then have any string. */
function dropValues(shape: PayloadShape, texts: Texts): void {
  for (const value of texts.values?.keys() ?? []) {
    shape.literals--;
    shape.bytes -= memberBytes(value);
  }
  texts.values = null;
}

export function mergeTexts(into: Texts | null, from: Texts | null): Texts | null {
  if (into === null || from === null) return into ?? from;
  return {
    seen: into.seen + from.seen,
    formats: into.formats & from.formats,
    distinct: into.distinct + from.distinct,
    // The values of a map's entries are no enumeration.
    values: null,
  };
}
