import * as v from 'valibot';

export const isoTimeSchema = v.pipe(
  v.string(),
  v.isoTimestamp(),
  v.description('UTC, to the millisecond.'),
);
