import * as v from 'valibot';
import { errorSchema } from '../error-schema.ts';
import { isoTimeSchema } from '../iso-time.ts';

/** What a search that stopped found, beside its error. */
export function foundSchema<S extends v.GenericSchema>(item: S) {
  return v.object({
    data: v.pipe(
      v.array(item),
      v.description('The newest events that it found, at most 1000, newest first.'),
    ),
    cursor: v.pipe(v.string(), v.description('Where the search goes on.')),
    looked_at: v.pipe(v.number(), v.description('How many events it has dealt with.')),
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
