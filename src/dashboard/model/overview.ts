import { signal } from '@preact/signals';
import type { OverviewAnswer } from '../../api/overview/overview-answer.ts';
import { type ApiError, asApiError } from './api-error.ts';
import { session } from './page.ts';

export const RANGES = ['hour', 'day', 'week'] as const;
type ChosenRange = (typeof RANGES)[number];

export const RANGE_TEXT: Record<ChosenRange, string> = {
  hour: 'in the last hour',
  day: 'in the last 24 hours',
  week: 'in the last 7 days',
};

/** Returns the range of an address; a day by default. */
export function rangeOf(query: URLSearchParams): ChosenRange {
  return RANGES.find((range) => range === query.get('range')) ?? 'day';
}

/** The overview of all endpoints. The navigation and the views share one request. */
export const overview = signal<{ value: OverviewAnswer | null; error: ApiError | null }>({
  value: null,
  error: null,
});

/**
 * Loads the overview of a range, and again at each `reload`. The previous range's overview stays
 * until the answer comes. A reload during a request starts after that request, because on a large
 * store news comes faster than answers.
 */
export function followOverview(range: ChosenRange): { reload(): void; stop(): void } {
  const stopped = new AbortController();
  const { signal } = stopped;
  let state: 'idle' | 'running' | 'again' = 'idle';
  const run = async () => {
    do {
      state = 'running';
      try {
        const value = await session.call('GET /api/overview', { query: { range }, signal });
        if (!signal.aborted) overview.value = { value, error: null };
      } catch (error) {
        if (!signal.aborted) overview.value = { ...overview.peek(), error: asApiError(error) };
      }
    } while (!signal.aborted && (state as string) === 'again');
    state = 'idle';
  };
  const reload = () => {
    if (state === 'idle') void run();
    else state = 'again';
  };
  // The network is back, so a shown error is out of date.
  window.addEventListener('online', reload, { signal });
  reload();
  return { reload, stop: () => stopped.abort() };
}

export function forgetOverview(): void {
  overview.value = { value: null, error: null };
}
