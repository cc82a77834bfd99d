import * as v from 'valibot';

/**
 * Controls, line and paragraph separators, and lone surrogates, in a spelling for every regex
 * dialect.
 */
const UNREADABLE = '\\x00-\\x1f\\x7f-\\x9f\\u2028\\u2029\\ud800-\\udfff';
const HAS_UNREADABLE = new RegExp(`[${UNREADABLE}]`, 'u');

/**
 * Reads a name that a person chooses: one line, trimmed, 1 to `maxCharacters` code points. Lone
 * surrogates are refused, because UTF-8 can't encode them. JSON Schema's `maxLength` would count
 * the trimmed spaces, so OpenAPI gets a `pattern`.
 */
export function nameSchema(maxCharacters: number, description: string, example: string) {
  return v.pipe(
    v.string('must be a string'),
    v.metadata({
      description: `${description} 1 to ${maxCharacters} characters without surrounding spaces.`,
      examples: [example],
      pattern: `^\\s*(?=\\S)[^${UNREADABLE}]{1,${maxCharacters}}\\s*$`,
    }),
    v.trim(),
    v.check((text) => text !== '', 'must not be empty'),
    v.check(
      (text) => [...text].length <= maxCharacters,
      `must be at most ${maxCharacters} characters`,
    ),
    v.check(
      (text) => !HAS_UNREADABLE.test(text),
      'must not have control characters or line breaks',
    ),
  );
}
