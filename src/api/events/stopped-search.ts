import { HookrelayError } from '../../core/errors.ts';
import type { SearchStop } from '../../store/contract/events.ts';
import { isoTimeOrNull } from '../iso-time.ts';
import type { StoppedSearchAnswer } from './stopped-search-answer.ts';

const HINT =
  'go on with cursor; or narrow the time range (from, to), or name a literal text of the body (q)';

/** Returns the error of a stopped search, with the events found so far. */
export function stoppedSearch<T>(
  data: T[],
  { lookedAt, until, tooCostly }: SearchStop,
  cursor: string,
): HookrelayError {
  const found: StoppedSearchAnswer<T> = {
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
