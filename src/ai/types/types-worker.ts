import { isUtf8 } from 'node:buffer';
import { isForm } from '../../core/http/is-form.ts';
import { readStoredShape } from '../../core/shapes/stored-shape.ts';
import { payloadText } from '../../core/text/payload-text.ts';
import { serveJobs } from '../../core/threads/serve-jobs.ts';
import { eventTypeOf } from '../event-type.ts';
import { declaredTypes } from '../learned/declared-types.ts';
import type { SchemaType } from '../learned/schema-type.ts';
import { typeOfShape } from '../learned/type-of-shape.ts';
import { ndjsonArray } from '../ndjson.ts';
import { parserType } from './parser-type.ts';
import { payloadType } from './payload-type.ts';
import type { PayloadTypes, TypesFormat, TypesRequest } from './payload-types.ts';
import { JsonFault, readShape, type ShapeNotes } from './read-shape.ts';
import { settleShape } from './settle-shape.ts';
import { emptyShape, type TypeShape } from './shape.ts';
import { trimShape } from './trim-shape.ts';
import { typeName } from './type-name.ts';

/**
 * The worker thread that makes types and parsers. It reads whole payloads, which may take a second
 * and would block the server's main thread.
 */

/** How many members all types may have together. The largest events of GitHub have about 700. */
const MAX_MEMBERS = 1500;

const LEARNED = 'Learned from all events of this type.';
const ONE_EVENT = 'Made from one event, which proves no rule: any member may be absent or null.';

function makeTypes(request: TypesRequest): PayloadTypes {
  const { format, provider, reservedNames } = request;
  const body = Buffer.from(request.body.buffer, request.body.byteOffset, request.body.byteLength);
  const eventType = eventTypeOf({ ...request, body });
  const { kind, shape, notes } = describe(body, request.contentType, format);
  const learned = kind === 'json' ? learnedType(request.learned, eventType) : null;
  const type = learned ?? typeOfOneEvent(shape, format, notes);
  const { name, code } = declaredTypes(type, typeName(provider, eventType), format, reservedNames);
  return {
    ...{ kind, eventType, name, code: code.trim() },
    notes: learned ? [LEARNED] : notes,
    oneValued: oneValued(type),
  };
}

function learnedType(learned: Uint8Array | null, eventType: string | null): SchemaType | null {
  const shape = learned && readStoredShape(learned);
  return shape ? typeOfShape(shape, eventType ?? '') : null;
}

/** Adds to the notes how far one event describes the others, and what was cut. */
function typeOfOneEvent(shape: TypeShape, format: TypesFormat, notes: string[]): SchemaType {
  const levels = trimShape(shape, MAX_MEMBERS);
  if (levels !== null) {
    notes.push(
      `Cut down: the payload has more than ${MAX_MEMBERS} different members. Levels below ${levels} are any value.`,
    );
  }
  const type = payloadType(shape);
  if (format === 'typescript') return type;
  if (type.object || type.map || type.items) notes.push(ONE_EVENT);
  return parserType(type);
}

function oneValued(type: SchemaType): string[] | null {
  if (kindsIn(type) !== 1 || !(type.object || type.map || type.items)) return null;
  const members = type.object?.members ?? [];
  return members
    .filter((member) => kindsIn(member.type) === 1 && !member.type.items)
    .map(({ name }) => name)
    .filter((name) => /^\w+$/.test(name) && name !== '__proto__');
}

function kindsIn({ isAny, isBoolean, number, text, object, map, items }: SchemaType): number {
  return isAny ? 0 : [isBoolean, number, text, object, map, items].filter(Boolean).length;
}

interface Description {
  kind: PayloadTypes['kind'];
  shape: TypeShape;
  notes: string[];
}

/** Determines the kind of a body like `parsePayload`, but builds no values. */
function describe(body: Buffer, contentType: string | null, format: TypesFormat): Description {
  const text: TypeShape = { ...emptyShape(), isString: true };
  if (body.length === 0) {
    return {
      kind: 'empty',
      shape: { ...emptyShape(), isNull: true },
      notes: ['The body is empty.'],
    };
  }
  if (!isUtf8(body)) {
    const notes = ["The body isn't text: the API shows it as a string of base64."];
    return { kind: 'binary', shape: text, notes };
  }
  const received = new TextDecoder().decode(body);
  const json = shapeOf(received);
  if (json) return described('json', json, [], format);
  const lines = ndjsonArray(received);
  if (lines !== null) {
    const notes = ['The body is NDJSON, one JSON document a line: this is the list of them.'];
    return described('ndjson', readShape(lines), notes, format);
  }
  if (isForm(contentType)) return describeForm(received, format);
  const notes = ['The body is neither JSON nor form-encoded: it is text.'];
  return { kind: 'text', shape: text, notes };
}

function describeForm(text: string, format: TypesFormat): Description {
  const form = new URLSearchParams(text);
  const payload = payloadText(form);
  const json = payload === null ? null : shapeOf(payload);
  if (json) {
    const notes = ['The body is form-encoded: this is the JSON in its field "payload".'];
    return described('json-in-form', json, notes, format);
  }
  const fields = [...form];
  const notes = ['The body is form-encoded: these are its fields, all of them text.'];
  if (new Set(fields.map(([name]) => name)).size < fields.length) {
    notes.push('Some fields occur more than once: one value of each is kept.');
  }
  return described('form', readShape(JSON.stringify(Object.fromEntries(fields))), notes, format);
}

type Read = ReturnType<typeof readShape>;

/** Returns null if the text isn't JSON. */
function shapeOf(text: string): Read | null {
  try {
    return readShape(text);
  } catch (error) {
    if (error instanceof JsonFault) return null;
    throw error;
  }
}

function described(
  kind: PayloadTypes['kind'],
  { shape, notes }: Read,
  more: string[],
  format: TypesFormat,
): Description {
  settleShape(shape);
  return {
    kind,
    shape,
    notes: [...more, ...sentences(notes, format), ...kindNote(shape, format)],
  };
}

/** Returns a note on literal types. Only the declarations in TypeScript have them. */
function kindNote(shape: TypeShape, format: TypesFormat): string[] {
  return format === 'typescript' && namesKinds(shape.items ?? shape, 2)
    ? [
        'Members that name the kind of event accept only the values in this payload: add those of other events.',
      ]
    : [];
}

function namesKinds({ fields }: TypeShape, levels: number): boolean {
  return [...fields.values()].some(
    ({ shape }) => (shape.isString && shape.kinds) || (levels > 1 && namesKinds(shape, levels - 1)),
  );
}

function sentences(notes: ShapeNotes, format: TypesFormat): string[] {
  const found: string[] = [];
  if (notes.hasUnsafeIntegers && (format === 'typescript' || format === 'zod')) {
    found.push(
      'Some integers are past 2^53: they are typed number, and JSON.parse rounds them. Where every digit counts, ask the sender for a string.',
    );
  }
  if (notes.hasUnsafeIntegers && format === 'go') {
    found.push('Integers that fit 64 bits are int64, larger ones float64, which rounds them.');
  }
  if (notes.hasInfinities) {
    found.push(
      format === 'go' || format === 'zod'
        ? 'Some numbers are past the range of a double: the parser refuses them.'
        : 'Some numbers are past the range of a double: they are read as infinity.',
    );
  }
  if (notes.hasDuplicates) {
    found.push('An object has the same name twice: JSON readers keep the last value.');
  }
  if (notes.isTooDeep) {
    found.push(
      'Cut down: the payload is nested deeper than 32 levels. Deeper levels are any value.',
    );
  }
  if (notes.hasMaps) {
    found.push('Objects with very many names, or very long ones, are maps from text.');
  }
  return found;
}

serveJobs(makeTypes);
