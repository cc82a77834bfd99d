import * as v from 'valibot';

type Pair = v.TupleSchema<[v.StringSchema<undefined>, v.StringSchema<undefined>], undefined>;

/**
 * Names and values of headers, in order. Their type says that each has a name and a value;
 * the OpenAPI document keeps the looser list of its first version.
 */
export const headerPairsSchema = v.array(v.array(v.string())) as v.GenericSchema as v.ArraySchema<
  Pair,
  undefined
>;
