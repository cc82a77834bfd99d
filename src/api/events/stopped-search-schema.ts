import * as v from 'valibot';
import { about } from '../about.ts';
import { errorSchema } from '../error-schema.ts';
import { isoTimeSchema } from '../iso-time.ts';

/** The events that a stopped search found. The answer has them beside the error. */
export function foundSchema<S extends v.GenericSchema>(item: S) {
  return v.object({
    data: about(v.array(item), 'The newest events that it found, at most 1000, newest first.'),
    cursor: about(v.string(), 'Continues the search.'),
    looked_at: about(v.number(), 'The number of events that it has examined.'),
    until: v.nullable(isoTimeSchema),
  });
}

/** The 503 answer of a list, for the OpenAPI document. Only a stopped search adds its events. */
export function stoppedSearchSchema<S extends v.GenericSchema>(item: S) {
  return v.union([
    v.object({
      ...errorSchema.entries,
      ...foundSchema(item).entries,
    }),
    errorSchema,
  ]);
}
