import * as v from 'valibot';

/** Reads an object without unknown members. Each unknown member is an error at its own path. */
export function strictObject<E extends v.ObjectEntries>(entries: E) {
  return v.strictObject(entries, ({ expected }) => {
    if (expected === 'never') return 'is not a known member';
    return expected === 'Object' ? 'must be an object' : 'is missing';
  });
}
