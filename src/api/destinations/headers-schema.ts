import {
  isReservedHeader,
  RESERVED_NAMES,
  RESERVED_PREFIXES,
} from '../../core/http/reserved-header.ts';
import {
  HEADER_VALUE,
  headerObjectSchema,
  wrongHeaderText,
} from '../../core/settings/header-object.ts';
import { isMasked, NOT_MASKED } from '../is-masked.ts';
import { MOST_HEADERS } from './sealed-headers.ts';

/** @param mayRemove whether a value may be null, which removes the header */
export function headersSchema({ mayRemove }: { mayRemove: boolean }) {
  const value = { type: 'string', pattern: NOT_MASKED + HEADER_VALUE };
  return headerObjectSchema<string | null>({
    description:
      'Headers of each attempt, which replace headers of the sender. Values are secret. ' +
      `At most ${MOST_HEADERS}, 8 KB together, visible ASCII; no two names that differ by case.`,
    examples: [{ authorization: 'Bearer 6f9c2d' }],
    reserved: { names: RESERVED_NAMES, prefixes: RESERVED_PREFIXES },
    whyReserved: (name) => (isReservedHeader(name) ? 'is a header that only hookrelay sets' : null),
    value: mayRemove ? { anyOf: [value, { type: 'null' }] } : value,
    wrongValue: (given) => (mayRemove && given === null ? null : wrongValue(given)),
    most: mayRemove ? null : MOST_HEADERS,
  });
}

function wrongValue(value: unknown): string | null {
  if (typeof value === 'string' && isMasked(value)) {
    return 'is masked; leave it out to keep the value';
  }
  return wrongHeaderText(value);
}
