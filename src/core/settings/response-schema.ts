import * as v from 'valibot';
import { RESERVED_ANSWER_HEADERS, whyReservedInAnswer } from '../http/answer-header.ts';
import { isBodiless, isRedirect } from '../http/answer-status.ts';
import type { CaptureResponse } from '../http/capture-response.ts';
import { HEADER_VALUE, headerObjectSchema, wrongHeaderText } from './header-object.ts';
import { mediaTypeSchema } from './media-type.ts';

const MAX_BODY_BYTES = 16 * 1024;
const MOST_HEADERS = 20;
/** The largest total size of all names and values, bytes. */
const MAX_HEADER_BYTES = 4 * 1024;
/** The content type of an answer without one. */
const DEFAULT_TYPE = 'application/json';

const headers = v.pipe(
  headerObjectSchema<string>({
    description:
      'Headers of the answer, added to those that hookrelay sets. ' +
      `At most ${MOST_HEADERS}, 4 KB together, visible ASCII; no two names that differ by case.`,
    examples: [{ location: 'https://example.com/thanks', 'retry-after': '120' }],
    reserved: {
      names: RESERVED_ANSWER_HEADERS.flatMap(({ names }) => names),
      prefixes: RESERVED_ANSWER_HEADERS.flatMap(({ prefixes }) => prefixes),
    },
    whyReserved: whyReservedInAnswer,
    value: { type: 'string', pattern: `^${HEADER_VALUE}` },
    wrongValue: wrongHeaderText,
    most: MOST_HEADERS,
  }),
  v.check((entries) => entries.length <= MOST_HEADERS, `must be at most ${MOST_HEADERS} headers`),
  v.check(
    (entries) =>
      entries.reduce((sum, [name, value]) => sum + name.length + value.length, 0) <=
      MAX_HEADER_BYTES,
    'must be at most 4 KB, names and values together',
  ),
);

/**
 * An endpoint's own answer to senders. The members must fit the status: 204, 205 and 304 allow no
 * body (RFC 9110), and a redirect needs a `location`.
 */
export const responseSchema = v.pipe(
  v.object({
    status: v.pipe(
      v.number('must be a number'),
      v.integer('must be a whole number'),
      v.minValue(200, 'must be from 200 to 599'),
      v.maxValue(599, 'must be from 200 to 599'),
      v.description(
        '204, 205 and 304 have no body. 301, 302, 303, 307 and 308 need the header `location`.',
      ),
    ),
    content_type: v.pipe(
      v.optional(v.nullable(mediaTypeSchema)),
      v.description('`application/json` by default; null for none, which needs an empty body.'),
    ),
    headers: v.optional(headers),
    body: v.optional(
      v.pipe(
        v.string('must be a string'),
        v.metadata({ description: 'At most 16 KiB as UTF-8.', maxLength: MAX_BODY_BYTES }),
        v.maxBytes(MAX_BODY_BYTES, 'must be at most 16 KiB'),
      ),
      '',
    ),
  }),
  v.forward(
    v.partialCheck(
      [['status'], ['body']],
      ({ status, body }) => body === '' || !isBodiless(status),
      'must be empty: an answer with status 204, 205 or 304 has no body',
    ),
    ['body'],
  ),
  v.forward(
    v.partialCheck(
      [['content_type'], ['body']],
      ({ content_type, body }) => content_type !== null || body === '',
      'must be a media type where there is a body',
    ),
    ['content_type'],
  ),
  v.rawCheck(({ dataset, addIssue }) => {
    if (!dataset.typed) return;
    const { status, headers: entries = [] } = dataset.value;
    const [name = 'location', location] =
      entries.find(([one]) => one.toLowerCase() === 'location') ?? [];
    const wrong = wrongLocation(status, location);
    if (wrong === null) return;
    const input = dataset.value;
    addIssue({
      message: wrong,
      path: [
        { type: 'object', origin: 'value', input, key: 'headers', value: entries },
        { type: 'object', origin: 'value', input: {}, key: name, value: location },
      ],
    });
  }),
  v.transform(
    ({ status, content_type, headers: entries = [], body }): CaptureResponse => ({
      status,
      content_type: content_type ?? defaultType(status, content_type),
      body,
      ...(entries.length > 0 && { headers: Object.fromEntries(entries) }),
    }),
  ),
);

function defaultType(status: number, given: null | undefined): string | null {
  return given === null || isBodiless(status) ? null : DEFAULT_TYPE;
}

function wrongLocation(status: number, location: string | undefined): string | null {
  if (location === undefined) {
    return isRedirect(status) ? `is missing: ${status} sends the sender to another URL` : null;
  }
  if (location.includes(' ')) return 'must not have a blank: write %20';
  const url = URL.parse(location, 'https://capture.invalid/');
  return url?.protocol === 'https:' || url?.protocol === 'http:'
    ? null
    : 'must be an http or https URL, or a path';
}
