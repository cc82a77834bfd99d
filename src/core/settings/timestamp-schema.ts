import * as v from 'valibot';
import { ISO_8601, parseTimestamp } from '../text/time.ts';

/** Reads an ISO 8601 timestamp to Unix milliseconds. */
export const timestampSchema = v.pipe(
  v.string('must be a string'),
  v.metadata({
    description: 'ISO 8601. A date alone means its midnight. A time without a zone is UTC.',
    examples: ['2026-01-31T12:00:00.000Z'],
    pattern: ISO_8601.source,
  }),
  v.rawTransform(({ dataset, addIssue, NEVER }) => {
    const ms = parseTimestamp(dataset.value);
    if (ms !== null) return ms;
    addIssue({ message: 'must be an ISO 8601 timestamp, such as 2026-01-31T12:00:00Z' });
    return NEVER;
  }),
);
