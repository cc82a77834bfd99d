import * as v from 'valibot';

/**
 * Controls, line and paragraph separators, and halves of a surrogate pair: nothing
 * that can be read. As ranges, which every dialect of regular expressions has.
 */
const UNREADABLE = '\\x00-\\x1f\\x7f-\\x9f\\u2028\\u2029\\ud800-\\udfff';
const HAS_UNREADABLE = new RegExp(`[${UNREADABLE}]`, 'u');

/**
 * A name that a person gives something: trimmed, 1 to `maxCharacters` code
 * points (an emoji is one, as JSON Schema counts), of one line. The document's
 * `pattern` says all of it: `maxLength` would count the blanks that are trimmed.
 * Half a surrogate pair has no form in UTF-8: stored, it would come back as
 * another name.
 */
export function nameSchema(maxCharacters: number, description: string, example: string) {
  return v.pipe(
    v.string('must be a string'),
    v.metadata({
      description: `${description} 1 to ${maxCharacters} characters without surrounding blanks.`,
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
