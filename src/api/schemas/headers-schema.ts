import * as v from 'valibot';
import {
  isReservedHeader,
  RESERVED_NAMES,
  RESERVED_PREFIXES,
} from '../../core/http/reserved-header.ts';
import { type HeaderChange, MOST_HEADERS } from '../destination-headers.ts';
import { isMasked, NOT_MASKED } from '../masked-secret.ts';

/** A token (RFC 9110, section 5.6.2). */
const TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z\\-]+$";
const IS_TOKEN = new RegExp(`^${TOKEN}`);
/** Visible ASCII, with blanks inside. */
const VALUE = '[\\x21-\\x7e](?:[\\x20-\\x7e]*[\\x21-\\x7e])?$';
const IS_VALUE = new RegExp(`^${VALUE}`);

const NAMES = RESERVED_NAMES.map((name) => `${anyCase(name)}$`);
const PREFIXES = RESERVED_PREFIXES.map(anyCase);
const NAME_PATTERN = `^(?!${[...NAMES, ...PREFIXES].join('|')})${TOKEN}`;

/**
 * Headers of a destination as an object of names and values. Not a record: valibot leaves
 * out a member such as `constructor`, which is a valid name.
 *
 * @param mayRemove whether null, which removes a header, is a value
 */
export function headersSchema({ mayRemove }: { mayRemove: boolean }) {
  const value = { type: 'string', pattern: NOT_MASKED + VALUE };
  return v.pipe(
    v.custom<Record<string, unknown>>(isObject, 'must be an object of names and values'),
    v.metadata({
      description:
        'Headers of each attempt, which replace headers of the sender. Values are secret. ' +
        `At most ${MOST_HEADERS}, 8 KB together, visible ASCII; no two names that differ by case.`,
      examples: [{ authorization: 'Bearer 6f9c2d' }],
      type: 'object',
      propertyNames: { pattern: NAME_PATTERN },
      additionalProperties: mayRemove ? { anyOf: [value, { type: 'null' }] } : value,
      ...(!mayRemove && { maxProperties: MOST_HEADERS }),
    }),
    v.rawTransform<Record<string, unknown>, HeaderChange[]>(({ dataset, addIssue, NEVER }) => {
      const input = dataset.value;
      const names = Object.keys(input);
      const seen = new Set<string>();
      let isValid = true;
      for (const name of names) {
        const wrong =
          wrongName(name, seen) ??
          (mayRemove && input[name] === null ? null : wrongValue(input[name]));
        seen.add(name.toLowerCase());
        if (wrong === null) continue;
        isValid = false;
        addIssue({
          message: wrong,
          path: [{ type: 'object', origin: 'value', input, key: name, value: input[name] }],
        });
      }
      if (!isValid) return NEVER;
      return names.map((name): HeaderChange => [name, input[name] as string | null]);
    }),
  );
}

function wrongName(name: string, seen: ReadonlySet<string>): string | null {
  if (!IS_TOKEN.test(name)) return 'is not the name of a header';
  if (isReservedHeader(name)) return 'is a header that only hookrelay sets';
  return seen.has(name.toLowerCase()) ? 'is there twice: case makes no difference' : null;
}

function wrongValue(value: unknown): string | null {
  if (typeof value !== 'string') return 'must be a string';
  if (value === '') return 'must not be empty';
  if (isMasked(value)) return 'is masked; leave it out to keep the value';
  return IS_VALUE.test(value) ? null : 'must be visible ASCII without surrounding blanks';
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A regular expression of a text in any case: JSON Schema has no flag for it. */
function anyCase(text: string): string {
  return text.replace(/[a-z]/g, (letter) => `[${letter}${letter.toUpperCase()}]`);
}
