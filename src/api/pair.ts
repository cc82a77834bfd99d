import * as v from 'valibot';

/**
 * The schema of a list of two items, such as the name and the value of a header. TypeScript knows
 * that there are two. The OpenAPI document says only that it is a list.
 */
export function pair<S extends v.GenericSchema>(item: S): v.TupleSchema<[S, S], undefined> {
  return v.array(item) as v.GenericSchema as v.TupleSchema<[S, S], undefined>;
}
