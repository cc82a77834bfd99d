import * as v from 'valibot';
import type { CallQuery } from '../../api/client/typed-call.ts';
import type { EventSummaryAnswer } from '../../api/events/event-answer.ts';
import type { StoppedSearchAnswer } from '../../api/events/stopped-search-answer.ts';
import type { Page } from '../../api/list-page-answer.ts';
import type { HookrelayError } from '../../core/errors.ts';
import { counted } from '../../core/text/words.ts';
import type { Remote } from '../client/remote-command.ts';
import { hasCode } from '../command-error.ts';

/** The largest page of the API. */
const MOST_ITEMS = 1000;
const DEFAULT_LIMIT = 50;

const stoppedSchema = v.object({
  data: v.array(
    v.custom<EventSummaryAnswer>((value) => typeof value === 'object' && value !== null),
  ),
  cursor: v.string(),
  looked_at: v.number(),
  until: v.nullable(v.string()),
});

export type EventQuery = Omit<CallQuery<'GET /api/events'>, 'view'>;

/**
 * Gets a page of events.
 *
 * @param waitingFor text of the progress line; the server's name by default
 */
export type ListEvents = (
  query: EventQuery,
  waitingFor?: string,
) => Promise<Page<EventSummaryAnswer>>;

interface Listed extends Page<EventSummaryAnswer> {
  /** Whether `total` may be too low, because the search stopped when its page was full. */
  isPart: boolean;
}

/**
 * Searches until the page is full or no events remain. If the server stops a long search, continues
 * from its cursor. Shows the progress on a terminal. Prints a note for each event that the rule
 * can't judge.
 */
export async function searchOn(
  { out }: Pick<Remote, 'out'>,
  list: ListEvents,
  query: EventQuery,
  { limit = DEFAULT_LIMIT, page = 1 }: { limit?: number; page?: number },
): Promise<Listed> {
  const found: EventSummaryAnswer[] = [];
  const wanted = page * limit;
  const whole = (total: number, isPart = false): Listed => ({
    data: found.slice(wanted - limit, wanted),
    ...{ page, limit, total, isPart },
  });
  /** Matches found, and events read, by the stopped parts of the search. */
  let passed = 0;
  let lookedAt = 0;
  let progress: string | undefined;
  let next: EventQuery = { ...query, limit, page };
  for (;;) {
    try {
      const rest = await list(next, progress);
      if (progress === undefined) return { ...rest, isPart: false };
      found.push(...rest.data);
      const total = passed + rest.total;
      if (found.length >= Math.min(wanted, total)) return whole(total);
      next = { ...next, page: rest.page + 1 };
    } catch (error) {
      const stopped = stoppedSearchIn(error);
      if (!stopped) throw error;
      found.push(...stopped.data);
      passed = found.length;
      lookedAt += stopped.looked_at;
      for (const { message } of (error as HookrelayError).issues ?? [])
        out.note(`where ${message}`);
      if (found.length >= wanted) return whole(found.length, true);
      const back = stopped.until === null ? '' : `, back to ${stopped.until}`;
      progress = `searching: ${counted(lookedAt, 'event')}${back}, ${found.length} found,`;
      next = { ...query, cursor: stopped.cursor, limit: MOST_ITEMS, page: 1 };
    }
  }
}

/** Returns null for any other error. */
export function stoppedSearchIn(error: unknown): StoppedSearchAnswer<EventSummaryAnswer> | null {
  if (!hasCode(error, 'search_too_long')) return null;
  const parsed = v.safeParse(stoppedSchema, error.beside);
  return parsed.success ? parsed.output : null;
}
