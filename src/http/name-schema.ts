import * as v from 'valibot';

/** Controls, line and paragraph separators, and halves of a surrogate pair: nothing that can be read. */
const UNREADABLE = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u;

/**
 * A name that a person gives something: trimmed, 1 to `maxCharacters` code
 * points (an emoji is one, as JSON Schema's `maxLength` counts), of one line.
 * Half a surrogate pair has no form in UTF-8: stored, it would come back as
 * another name.
 */
export function nameSchema(maxCharacters: number, description: string, example: string) {
  return v.pipe(
    v.string('must be a string'),
    v.metadata({ description, examples: [example], minLength: 1, maxLength: maxCharacters }),
    v.trim(),
    v.minLength(1, 'must not be empty'),
    v.check(
      (text) => [...text].length <= maxCharacters,
      `must be at most ${maxCharacters} characters`,
    ),
    v.check((text) => !UNREADABLE.test(text), 'must not have control characters or line breaks'),
  );
}
