import * as v from 'valibot';
import { parseDuration, spellDuration } from '../text/duration.ts';

/** Reads a duration such as `30d` to milliseconds. Requires a unit. Refuses surrounding blanks. */
export function durationSchema(
  description: string,
  { leastMs, mostMs, example }: { leastMs: number; mostMs: number; example: string },
) {
  const range = `from ${spellDuration(leastMs)} to ${spellDuration(mostMs)}`;
  return v.pipe(
    v.string('must be a string'),
    v.metadata({
      description: `${description} A duration ${range}.`,
      examples: [example],
      pattern: '^\\d+(?:\\.\\d+)?(?:ms|s|m|h|d)$',
    }),
    v.rawTransform(({ dataset, addIssue, NEVER }) => {
      const ms = dataset.value.trim() === dataset.value ? parseDuration(dataset.value) : null;
      if (ms !== null && ms >= leastMs && ms <= mostMs) return ms;
      addIssue({
        message: ms === null ? `must be a duration such as ${example}` : `must be ${range}`,
      });
      return NEVER;
    }),
  );
}
