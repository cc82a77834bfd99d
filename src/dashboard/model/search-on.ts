import type { EventSummaryAnswer } from '../../api/events/event-answer.ts';
import type { StoppedSearchAnswer } from '../../api/events/stopped-search-answer.ts';
import type { Page } from '../../api/list-page-answer.ts';
import { type ApiError, asApiError } from './api-error.ts';
import type { ListQuery } from './list-filter.ts';

/** How many rows of the last part are fetched at once. */
const CHUNK_ROWS = 1000;

export type FetchPage = (
  query: ListQuery,
  signal: AbortSignal,
) => Promise<Page<EventSummaryAnswer>>;

/** The progress of a search that the server stopped. */
export interface SearchReach {
  state: 'going' | 'stopped' | 'done';
  lookedAt: number;
  /** The reception time of the oldest searched event; null if it is unknown. */
  until: string | null;
  /** The server's reasons why the rule can't judge some events. */
  unknown: string[];
  /** Why the search can't continue. */
  error: ApiError | null;
}

/**
 * Fetches pages of a search. The server stops a search that takes too long. This class then
 * continues the search part by part, and calls `onPart` after each part. The pages of a continued
 * search come from memory, which has all matches so far.
 */
export class SearchOn {
  /** Null until the server stops the search. */
  reach: SearchReach | null = null;
  readonly #ask: FetchPage;
  readonly #onPart: () => void;
  #running = new AbortController();
  #rows: EventSummaryAnswer[] = [];
  #total = 0;
  /** The number of rows before the last part. */
  #base = 0;
  /** Set once the server has stopped the search. */
  #query!: ListQuery;
  #cursor = '';

  constructor(ask: FetchPage, onPart: () => void) {
    this.#ask = ask;
    this.#onPart = onPart;
  }

  /** Stops the search. `goOn` continues it. */
  stop(): void {
    this.#running.abort();
    if (this.reach?.state === 'going') this.reach.state = 'stopped';
    this.#onPart();
  }

  /** Forgets the found rows. The next page begins the search again. */
  again(): void {
    this.#running.abort();
    this.reach = null;
    this.#rows = [];
    this.#onPart();
  }

  close(): void {
    this.#running.abort();
  }

  readonly fetchPage: FetchPage = async (query, signal) => {
    if (!this.reach) {
      try {
        return await this.#ask(query, signal);
      } catch (error) {
        const part = partOf(error);
        if (!part || signal.aborted || query.around !== undefined) throw error;
        // Another page may already have begun the search.
        if (!this.reach) this.#begin(query, part, asApiError(error));
      }
    }
    return this.#page(query, signal);
  };

  #begin(query: ListQuery, part: StoppedSearchAnswer<EventSummaryAnswer>, error: ApiError): void {
    this.reach = { state: 'stopped', lookedAt: 0, until: null, unknown: [], error: null };
    this.#query = query;
    this.#rows = [];
    this.#take(part, error);
    this.goOn();
  }

  goOn(): void {
    const { reach } = this;
    if (reach?.state !== 'stopped') return;
    reach.state = 'going';
    reach.error = null;
    this.#running = new AbortController();
    void this.#search(reach, this.#running.signal);
  }

  async #search(reach: SearchReach, signal: AbortSignal): Promise<void> {
    while (reach.state === 'going') {
      try {
        const { data, total } = await this.#chunk(1, signal);
        if (signal.aborted) return;
        this.#rows.push(...data);
        this.#total = this.#base + total;
        reach.state = 'done';
      } catch (error) {
        if (signal.aborted) return;
        const part = partOf(error);
        if (part) this.#take(part, asApiError(error));
        else Object.assign(reach, { state: 'stopped', error: asApiError(error) });
      }
      this.#onPart();
    }
  }

  #take(part: StoppedSearchAnswer<EventSummaryAnswer>, { issues }: ApiError): void {
    const { reach } = this;
    if (!reach) return;
    this.#rows.push(...part.data);
    this.#total = this.#rows.length;
    this.#base = this.#rows.length;
    this.#cursor = part.cursor;
    reach.lookedAt += part.looked_at;
    reach.until = part.until ?? reach.until;
    reach.unknown.push(...issues.map(({ message }) => message));
  }

  /** Fetches a page of the search's rest, which begins at the cursor. */
  #chunk(page: number, signal: AbortSignal): Promise<Page<EventSummaryAnswer>> {
    const query = { ...this.#query, page, limit: CHUNK_ROWS, cursor: this.#cursor };
    return this.#ask(query, signal);
  }

  async #page(query: ListQuery, signal: AbortSignal): Promise<Page<EventSummaryAnswer>> {
    const { around, limit } = query;
    const place = this.#rows.findIndex((event) => event?.id === around);
    const page = around === undefined ? (query.page ?? 1) : Math.floor(place / limit) + 1;
    if (page < 1) throw new Error('the search has not found this event');
    const from = (page - 1) * limit;
    const to = Math.min(page * limit, this.#total);
    for (let row = from; row < to; row++) {
      if (this.#rows[row]) continue;
      const chunk = Math.floor((row - this.#base) / CHUNK_ROWS);
      const { data } = await this.#chunk(chunk + 1, signal);
      data.forEach((event, i) => {
        this.#rows[this.#base + chunk * CHUNK_ROWS + i] = event;
      });
      if (!this.#rows[row]) break;
    }
    return { data: this.#rows.slice(from, to).filter(Boolean), total: this.#total, page, limit };
  }
}

/** Returns the matches of a stopped search. Returns null for any other error. */
function partOf(error: unknown): StoppedSearchAnswer<EventSummaryAnswer> | null {
  const { code, found } = asApiError(error);
  return code === 'search_too_long' ? found : null;
}
