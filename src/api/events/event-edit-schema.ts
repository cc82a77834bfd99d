import { METHODS } from 'node:http';
import * as v from 'valibot';
import type { HeaderEdit } from '../../capture/edited-request.ts';
import { type Value, writeDocument } from '../../core/rules/document.ts';
import { headerObjectSchema } from '../../core/settings/header-object.ts';
import { strictObject } from '../../core/settings/strict-object.ts';
import { about } from '../about.ts';
import { destinationIdsSchema } from '../destination-ids-schema.ts';

const METHODS_TAKEN = METHODS.filter((method) => method !== 'CONNECT' && method !== 'TRACE');
const MOST_CHARACTERS = 16 * 1024;

/** Excludes ASCII control characters except tab. Other characters are bytes (ISO 8859-1). */
const VALUE = '^[\\t\\x20-\\x7e\\x80-\\xff]*$';
const IS_VALUE = new RegExp(VALUE);
const OUTER_BLANKS = /^[\t ]+|[\t ]+$/g;

/** Visible ASCII without `#`. A path has no `?` either. */
const PATH = /^(?:\/[!"$->@-~]*)?$/;
const QUERY = /^[!"$-~]*$/;

const AND_ENCODING =
  'It removes content-encoding, unless headers sets it. The JSON of an edit is at most 1 MiB: ' +
  'a longer body can’t be changed this way, but the other members can.';

const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

const target = (description: string, pattern: RegExp, message: string) =>
  v.pipe(
    v.string('must be a string'),
    v.maxLength(MOST_CHARACTERS, `must be at most ${MOST_CHARACTERS} characters`),
    v.regex(pattern, message),
    v.description(description),
  );

const headerText = { type: 'string', pattern: VALUE };

const headers = v.pipe(
  headerObjectSchema<unknown>({
    description:
      'Headers that change: a text replaces all headers of that name, a list sets several, and ' +
      'null removes them. The others stay. Case makes no difference in names; no two names that ' +
      'differ by case. content-length always follows the body. Path, query and headers are at ' +
      'most 16 KiB together.',
    examples: [{ 'x-tenant': '7', 'x-old': null }],
    reserved: { names: [], prefixes: [] },
    whyReserved: () => null,
    value: {
      anyOf: [headerText, { type: 'array', minItems: 1, items: headerText }, { type: 'null' }],
    },
    wrongValue,
    most: null,
  }),
  v.transform((entries) => entries.map(([name, value]): HeaderEdit => [name, valuesOf(value)])),
);

const bodyBase64 = v.pipe(
  v.string('must be a string'),
  // One pattern for length and alphabet would backtrack, and overflow the stack on a long text.
  v.check((text) => text.length % 4 === 0 && BASE64.test(text), 'must be base64'),
  v.metadata({
    description: `The bytes of the new body. ${AND_ENCODING}`,
    contentEncoding: 'base64',
    pattern: '^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$',
  }),
);

/**
 * The changes of an edited copy. Missing members stay as captured. The route limits the JSON to
 * `MAX_EDIT_BYTES`.
 */
export const eventEditSchema = v.pipe(
  strictObject({
    method: v.optional(
      about(
        v.picklist(METHODS_TAKEN, 'must be an HTTP method in upper case, such as POST'),
        'The HTTP method.',
      ),
    ),
    path: v.optional(
      target(
        'Path below the capture URL, percent-encoded: empty, or with a leading /.',
        PATH,
        'must be empty, or start with / and be percent-encoded',
      ),
    ),
    query: v.optional(
      target('Query, percent-encoded, without the ?.', QUERY, 'must be percent-encoded'),
    ),
    headers: v.optional(headers),
    body: v.optional(
      about(
        v.unknown(),
        `The new body: a text as it is, any other value as JSON. An empty text for none. ${AND_ENCODING}`,
      ),
    ),
    body_base64: v.optional(bodyBase64),
    destination_ids: v.optional(
      destinationIdsSchema(
        'The destinations that get the copy, whatever their filters say. Without it, all get it by their filters, except those with sign_as.',
      ),
    ),
  }),
  v.forward(
    v.check(
      ({ body, body_base64 }) => body === undefined || body_base64 === undefined,
      'must not be given together with body',
    ),
    ['body_base64'],
  ),
);

/**
 * Returns the bytes of the new body, or undefined if the body stays. Throws `RangeError` for a
 * value that is nested too deeply.
 */
export function editedBody({
  body,
  body_base64: base64,
}: Pick<v.InferOutput<typeof eventEditSchema>, 'body' | 'body_base64'>): Buffer | undefined {
  if (base64 !== undefined) return Buffer.from(base64, 'base64');
  if (body === undefined) return undefined;
  return Buffer.from(typeof body === 'string' ? body : writeDocument(body as Value));
}

function wrongValue(value: unknown): string | null {
  if (value === null) return null;
  const values = Array.isArray(value) ? value : [value];
  if (values.length === 0) return 'must not be empty; null removes the header';
  if (values.some((one) => typeof one !== 'string')) {
    return 'must be a string, a list of strings, or null';
  }
  return values.every((one) => IS_VALUE.test(one))
    ? null
    : 'must be without line ends, NUL, and characters beyond ISO 8859-1';
}

function valuesOf(value: unknown): string[] | null {
  if (value === null) return null;
  return [value].flat().map((one) => String(one).replace(OUTER_BLANKS, ''));
}
