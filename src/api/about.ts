import * as v from 'valibot';

/** A schema with its description in the OpenAPI document. */
export function about<S extends v.GenericSchema>(schema: S, text: string) {
  return v.pipe(schema, v.description(text));
}
