import { isUtf8 } from 'node:buffer';
import { isForm } from '../../core/http/is-form.ts';
import { payloadText } from '../../core/rules/body-document.ts';
import { serveJobs } from '../../core/threads/serve-jobs.ts';
import { eventTypeOf } from '../event-type.ts';
import { ndjsonArray } from '../ndjson.ts';
import { fitToGo } from './go-target.ts';
import type { PayloadTypes, TypesLanguage, TypesRequest } from './payload-types.ts';
import { NotJson, readShape, type ShapeNotes } from './read-shape.ts';
import { settleShape } from './settle-shape.ts';
import { emptyShape, type Shape } from './shape.ts';
import { trimShape } from './trim-shape.ts';
import { typeName } from './type-name.ts';
import { fitToTypeScript } from './typescript-target.ts';
import { writeTypes } from './write-types.ts';

/**
 * The thread that makes types. It runs quicktype and reads whole payloads: both
 * may take seconds, which would block the server's thread.
 */

/**
 * Members of all types together. quicktype writes this many in about 50 ms.
 * GitHub's largest events have some 700.
 */
const MAX_MEMBERS = 1500;

function makeTypes(request: TypesRequest): PayloadTypes {
  const { language } = request;
  const body = Buffer.from(request.body.buffer, request.body.byteOffset, request.body.byteLength);
  const eventType = eventTypeOf({ ...request, body });
  const { kind, shape, notes } = describe(body, request.contentType, language);
  const one = typeName(request.provider, eventType);
  // quicktype calls the items of `SendgridEvents` a `SendgridEvent`.
  const name = shape.items ? `${one}s` : one;
  const levels = trimShape(shape, MAX_MEMBERS);
  if (levels !== null) {
    notes.push(
      `Cut down: the payload has more than ${MAX_MEMBERS} different members. Levels below ${levels} are any value.`,
    );
  }
  if (language === 'typescript') fitToTypeScript(shape);
  if (language === 'go') {
    const leftOut = fitToGo(shape);
    if (leftOut > 0) {
      notes.push(`${leftOut} members are left out: a struct tag can't hold their names.`);
    }
  }
  return { kind, eventType, notes, ...writeTypes(shape, name, language, request.reservedNames) };
}

interface Description {
  kind: PayloadTypes['kind'];
  shape: Shape;
  notes: string[];
}

/** Determines the kind of a body like `parsePayload`, but makes no values. */
function describe(body: Buffer, contentType: string | null, language: TypesLanguage): Description {
  const text: Shape = { ...emptyShape(), isString: true };
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
  if (json) return described('json', json, [], language);
  const lines = ndjsonArray(received);
  if (lines !== null) {
    const notes = ['The body is NDJSON, one JSON document a line: this is the list of them.'];
    return described('ndjson', readShape(lines), notes, language);
  }
  if (isForm(contentType)) return describeForm(received, language);
  const notes = ['The body is neither JSON nor form-encoded: it is text.'];
  return { kind: 'text', shape: text, notes };
}

function describeForm(text: string, language: TypesLanguage): Description {
  const form = new URLSearchParams(text);
  const payload = payloadText(form);
  const json = payload === null ? null : shapeOf(payload);
  if (json) {
    const notes = ['The body is form-encoded: this is the JSON in its field "payload".'];
    return described('json-in-form', json, notes, language);
  }
  const fields = [...form];
  const notes = ['The body is form-encoded: these are its fields, all of them text.'];
  if (new Set(fields.map(([name]) => name)).size < fields.length) {
    notes.push('Some fields occur more than once: one value of each is kept.');
  }
  return described('form', readShape(JSON.stringify(Object.fromEntries(fields))), notes, language);
}

type Read = ReturnType<typeof readShape>;

/** Null for a text that isn't JSON. */
function shapeOf(text: string): Read | null {
  try {
    return readShape(text);
  } catch (error) {
    if (error instanceof NotJson) return null;
    throw error;
  }
}

function described(
  kind: PayloadTypes['kind'],
  { shape, notes }: Read,
  more: string[],
  language: TypesLanguage,
): Description {
  settleShape(shape);
  return {
    kind,
    shape,
    notes: [...more, ...sentences(notes, language), ...kindNote(shape, language)],
  };
}

/** A note on literal types, which Go doesn't have. */
function kindNote(shape: Shape, language: TypesLanguage): string[] {
  return language !== 'go' && namesKinds(shape.items ?? shape, 2)
    ? [
        'Members that name the kind of event accept only the values in this payload: add those of other events.',
      ]
    : [];
}

function namesKinds({ fields }: Shape, levels: number): boolean {
  return [...fields.values()].some(
    ({ shape }) => (shape.isString && shape.kinds) || (levels > 1 && namesKinds(shape, levels - 1)),
  );
}

function sentences(notes: ShapeNotes, language: TypesLanguage): string[] {
  const found: string[] = [];
  if (notes.hasUnsafeIntegers && language === 'typescript') {
    found.push(
      'Some integers are past 2^53: they are typed number, and JSON.parse rounds them. Where every digit counts, ask the sender for a string.',
    );
  }
  if (notes.hasUnsafeIntegers && language === 'go') {
    found.push('Integers that fit 64 bits are int64, larger ones float64, which rounds them.');
  }
  if (notes.hasInfinities) {
    found.push(
      language === 'go'
        ? 'Some numbers are past the range of float64: encoding/json refuses them.'
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
