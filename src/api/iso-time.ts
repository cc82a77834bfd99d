import * as v from 'valibot';

export const isoTimeSchema = v.pipe(
  v.string(),
  v.isoTimestamp(),
  v.description('UTC, to the millisecond.'),
);

export const isoTime = (ms: number): string => new Date(ms).toISOString();
export const isoTimeOrNull = (ms: number | null): string | null =>
  ms === null ? null : isoTime(ms);
