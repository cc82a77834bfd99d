import * as v from 'valibot';
import { isObject } from './is-object.ts';

/** A token (RFC 9110, section 5.6.2). */
const TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z\\-]+$";
const IS_TOKEN = new RegExp(`^${TOKEN}`);

/** The end of a regular expression for a header's value: visible ASCII, with blanks only inside. */
export const HEADER_VALUE = '[\\x21-\\x7e](?:[\\x20-\\x7e]*[\\x21-\\x7e])?$';
const IS_VALUE = new RegExp(`^${HEADER_VALUE}`);

export interface HeaderRules {
  /** The purpose of the headers and their limits. */
  description: string;
  examples: readonly Record<string, unknown>[];
  /** Refused names and prefixes, in lower case. */
  reserved: { names: readonly string[]; prefixes: readonly string[] };
  /** Returns why a name is refused. Null for an accepted name. Case doesn't matter. */
  whyReserved(name: string): string | null;
  /** JSON Schema of a value. */
  value: object;
  /** Returns what is wrong with a value. Null for a valid value. */
  wrongValue(value: unknown): string | null;
  /** The largest number of headers. Null for no limit, because a change may name more. */
  most: number | null;
}

/** Names and values in the order of the input. */
export type HeaderEntries<T> = readonly (readonly [name: string, value: T])[];

/**
 * Reads headers from an object of names and values. `v.record` would drop the valid name
 * `constructor`. `T` is the type of the values that `wrongValue` accepts.
 */
export function headerObjectSchema<T>(rules: HeaderRules) {
  const { description, examples, reserved, whyReserved, value, wrongValue, most } = rules;
  const names = reserved.names.map((name) => `${anyCase(name)}$`);
  const refused = [...names, ...reserved.prefixes.map(anyCase)].join('|');
  return v.pipe(
    v.custom<Record<string, unknown>>(isObject, 'must be an object of names and values'),
    v.metadata({
      description,
      examples,
      type: 'object',
      propertyNames: { pattern: `^${refused && `(?!${refused})`}${TOKEN}` },
      additionalProperties: value,
      ...(most !== null && { maxProperties: most }),
    }),
    v.rawTransform<Record<string, unknown>, HeaderEntries<T>>(({ dataset, addIssue, NEVER }) => {
      const input = dataset.value;
      const seen = new Set<string>();
      let isValid = true;
      for (const [name, given] of Object.entries(input)) {
        const wrong = wrongName(name, seen, whyReserved) ?? wrongValue(given);
        seen.add(name.toLowerCase());
        if (wrong === null) continue;
        isValid = false;
        addIssue({
          message: wrong,
          path: [{ type: 'object', origin: 'value', input, key: name, value: given }],
        });
      }
      return isValid ? (Object.entries(input) as unknown as HeaderEntries<T>) : NEVER;
    }),
  );
}

/** Returns what is wrong with a header's value. Null for a valid value. */
export function wrongHeaderText(value: unknown): string | null {
  if (typeof value !== 'string') return 'must be a string';
  if (value === '') return 'must not be empty';
  return IS_VALUE.test(value) ? null : 'must be visible ASCII without surrounding blanks';
}

function wrongName(
  name: string,
  seen: ReadonlySet<string>,
  whyReserved: HeaderRules['whyReserved'],
): string | null {
  if (!IS_TOKEN.test(name)) return 'is not the name of a header';
  const why = whyReserved(name);
  if (why !== null) return why;
  return seen.has(name.toLowerCase()) ? 'is there twice: case makes no difference' : null;
}

/** Returns a regular expression for a text in any case. JSON Schema has no flag for that. */
function anyCase(text: string): string {
  return text.replace(/[a-z]/g, (letter) => `[${letter}${letter.toUpperCase()}]`);
}
