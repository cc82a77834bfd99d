import * as v from 'valibot';

/**
 * A list of two, such as the name and the value of a header. Its type is exact; the OpenAPI
 * document calls it just a list.
 */
export function pair<S extends v.GenericSchema>(item: S): v.TupleSchema<[S, S], undefined> {
  return v.array(item) as v.GenericSchema as v.TupleSchema<[S, S], undefined>;
}
