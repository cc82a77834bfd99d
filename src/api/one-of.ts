import * as v from 'valibot';

/** One of some texts. The error names them. */
export function oneOf<const T extends readonly string[]>(names: T) {
  return v.picklist(names, `must be one of ${names.join(', ')}`);
}
