import type { CallQuery } from '../../api/client/typed-call.ts';
import type { Address } from './router.ts';

/** Which rows of a list: a page from 1, the page that has an event, or the rest of a search. */
export interface PageOfList {
  limit: number;
  page?: number;
  around?: string;
  cursor?: string;
}

/** The filters of a list by their names in the API, as the address has them; empty for none. */
export type ListFilter = Record<
  Exclude<keyof CallQuery<'GET /api/events'>, keyof PageOfList | 'view'>,
  string
>;

/** What a list of events is asked for. */
export type ListQuery = ListFilter & PageOfList & { view: 'summary' };

const UNIT_MS = { m: 60_000, h: 3_600_000, d: 86_400_000 };

/** The members of the address that filter a list. */
export const FILTER_NAMES = [
  ...['status', 'method', 'since', 'from', 'to', 'q', 'ignore_case', 'type', 'where'],
  ...['verification', 'duplicates'],
] as const;

/** The filter of an address. `since=1h` counts back from now; `from` and `to` are times. */
export function filterOf({ query }: Pick<Address, 'query'>, now: number): ListFilter {
  const get = (name: string) => query.get(name) ?? '';
  const since = /^(\d+)([mhd])$/.exec(get('since'));
  const from = since
    ? new Date(now - Number(since[1]) * UNIT_MS[since[2] as 'm' | 'h' | 'd']).toISOString()
    : get('from');
  return {
    status: get('status'),
    method: get('method'),
    from,
    to: get('to'),
    q: get('q'),
    // Alone it says nothing.
    ignore_case: get('q') === '' ? '' : get('ignore_case'),
    type: get('type'),
    where: get('where'),
    verification: get('verification'),
    duplicates: get('duplicates'),
  };
}

export function isFiltered({ query }: Pick<Address, 'query'>): boolean {
  return FILTER_NAMES.some((name) => name !== 'ignore_case' && query.get(name));
}

/** The part of an address that filters, as a text that is the same for the same filter. */
export function filterKey({ query }: Pick<Address, 'query'>): string {
  const kept = new URLSearchParams();
  for (const name of FILTER_NAMES) {
    const value = query.get(name);
    if (value) kept.set(name, value);
  }
  return kept.toString();
}
