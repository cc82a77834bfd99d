import * as v from 'valibot';
import { about } from '../about.ts';
import { errorSchema } from '../error-schema.ts';
import { isoTimeSchema } from '../iso-time.ts';

/** What a stopped search found. The answer has it beside the error. */
export function foundSchema<S extends v.GenericSchema>(item: S) {
  return v.object({
    data: about(v.array(item), 'The newest events that it found, at most 1000, newest first.'),
    cursor: about(v.string(), 'Continues the search.'),
    looked_at: about(v.number(), 'The number of events that it has examined.'),
    until: v.nullable(isoTimeSchema),
  });
}

/** The answer 503 of a list, for the OpenAPI document: of a search that stopped, or another one. */
export function stoppedSearchSchema<S extends v.GenericSchema>(item: S) {
  return v.union([
    v.object({
      ...errorSchema.entries,
      ...foundSchema(item).entries,
    }),
    errorSchema,
  ]);
}
