import * as v from 'valibot';
import { strictObject } from './strict-object.ts';
import { wholeNumber } from './whole-number.ts';

const MOST_STARTS = 1_000_000;

/** At most `limit` attempts start in any window of length `per`. */
export interface Rate {
  limit: number;
  per: 'second' | 'minute' | 'hour';
}

export function rateSchema(description: string) {
  return v.pipe(
    strictObject({
      limit: wholeNumber(1, MOST_STARTS),
      per: v.picklist(['second', 'minute', 'hour'], 'must be second, minute or hour'),
    }),
    v.metadata({ description, examples: [{ limit: 10, per: 'second' }] }),
  );
}
