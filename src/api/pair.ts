import * as v from 'valibot';

/**
 * A list of two, such as the name and the value of a header. Its type says so; the OpenAPI
 * document says only that it is a list.
 */
export function pair<S extends v.GenericSchema>(item: S): v.TupleSchema<[S, S], undefined> {
  return v.array(item) as v.GenericSchema as v.TupleSchema<[S, S], undefined>;
}
