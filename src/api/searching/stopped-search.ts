import * as v from 'valibot';
import { HookrelayError } from '../../core/errors.ts';
import type { SearchStop } from '../../store/contract/events.ts';
import type { StoppedSearch } from '../answers/stopped-search.ts';
import { errorSchema } from '../schemas/error-schema.ts';
import { isoTimeSchema } from '../schemas/iso-time.ts';
import { isoTimeOrNull } from '../views.ts';

const HINT =
  'go on with cursor; or narrow the time range (from, to), or name a literal text of the body (q)';

/** What such a search found, beside its error. */
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

/** The error of a search that stopped, with what it found and where it goes on. */
export function stoppedSearch<T>(
  data: T[],
  { lookedAt, until, tooCostly }: SearchStop,
  cursor: string,
): HookrelayError {
  const found: StoppedSearch<T> = {
    ...{ data, cursor, looked_at: lookedAt, until: isoTimeOrNull(until) },
  };
  const back = found.until === null ? '' : `, back to ${found.until},`;
  const message = `the search takes too long: it looked at ${lookedAt} events${back} and found ${data.length}`;
  if (tooCostly === null) {
    return new HookrelayError('search_too_long', message, { hint: HINT, beside: { ...found } });
  }
  const issue = `takes too many steps on event ${tooCostly}, so nobody knows whether it fits`;
  return new HookrelayError('search_too_long', `the rule ${issue}`, {
    hint: HINT,
    issues: [{ path: 'where', message: issue }],
    beside: { ...found },
  });
}
