import type { CallQuery } from '../../api/client/typed-call.ts';
import { parseDuration } from '../../core/text/duration.ts';
import type { Address } from './router.ts';

/**
 * Which rows of a list to fetch: a page (the first is 1), the page that contains an event, or the
 * rest of a search.
 */
export interface PageOfList {
  limit: number;
  page?: number;
  around?: string;
  cursor?: string;
}

/**
 * The filters of a list, by their names in the API. The address uses the same names. An empty text
 * is no filter.
 */
export type ListFilter = Record<
  Exclude<keyof CallQuery<'GET /api/events'>, keyof PageOfList | 'view'>,
  string
>;

export type ListQuery = ListFilter & PageOfList & { view: 'summary' };

/** URL parameters that filter a list. */
const FILTER_NAMES = [
  ...['status', 'method', 'since', 'from', 'to', 'q', 'ignore_case', 'type', 'where'],
  ...['verification', 'duplicates', 'waiting'],
] as const;

/** Returns the filter of an address. `since=1h` counts back from now; `from` and `to` are times. */
export function filterOf({ query }: Pick<Address, 'query'>, now: number): ListFilter {
  const { since, ...filter } = Object.fromEntries(
    FILTER_NAMES.map((name) => [name, query.get(name) ?? '']),
  ) as Record<(typeof FILTER_NAMES)[number], string>;
  const sinceMs = parseDuration(since);
  if (sinceMs !== null) filter.from = new Date(now - sinceMs).toISOString();
  // Without a search text, `ignore_case` means nothing.
  if (filter.q === '') filter.ignore_case = '';
  return filter;
}

export function isFiltered({ query }: Pick<Address, 'query'>): boolean {
  return FILTER_NAMES.some((name) => name !== 'ignore_case' && query.get(name));
}

/** Returns a text that identifies the filter of an address. */
export function filterKey({ query }: Pick<Address, 'query'>): string {
  const kept = new URLSearchParams();
  for (const name of FILTER_NAMES) {
    const value = query.get(name);
    if (value) kept.set(name, value);
  }
  return kept.toString();
}
