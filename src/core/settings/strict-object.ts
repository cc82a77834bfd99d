import * as v from 'valibot';

/** An object whose unknown members are issues, each with its path. */
export function strictObject<E extends v.ObjectEntries>(entries: E) {
  return v.strictObject(entries, ({ expected }) => {
    if (expected === 'never') return 'is not a known member';
    return expected === 'Object' ? 'must be an object' : 'is missing';
  });
}
