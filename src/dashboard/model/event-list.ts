import type { EventSummary, StreamedAttempt } from '../../api/api-types.ts';
import { type ApiError, asApiError } from './api-error.ts';
import { Observable } from './observable.ts';

const PAGE_ROWS = 100;
/** Between two looks at the newest page while events pour in, ms. */
const HEAD_INTERVAL_MS = 250;
const MAX_AT_ONCE = 2;
/** How long an arrival is pointed out, ms. */
const NEW_MS = 1500;
/** Rows kept in memory; past them all but those in view are let go. */
const MAX_ROWS = 20_000;

export interface Filter {
  status: string;
  method: string;
  from: string;
  to: string;
  q: string;
}

interface Page {
  data: EventSummary[];
  total: number;
}

/** Gets a page of the list. */
export type FetchPage = (query: string, signal: AbortSignal) => Promise<Page>;

/**
 * An endpoint's events as the list shows them, of which only what is looked at
 * is ever fetched. Row 0 is the newest.
 *
 * The API's pages are counted from the newest, so every arrival moves all of
 * them. Rows are therefore kept by their place from the oldest, which stays:
 * `total - 1 - row`. News from the stream isn't counted here; it only says that
 * the newest page is to be fetched again, whose total and rows are of one
 * moment. So nothing is lost or doubled, whatever arrives twice or in between,
 * and every filter is the server's own.
 */
export class EventList {
  static #made = 0;
  /** Tells one list from the next. */
  readonly id = ++EventList.#made;
  readonly #fetchPage: FetchPage;
  readonly #filter: Filter;
  /** Counts the changes, for whoever draws this. */
  readonly version = new Observable(0);
  total = 0;
  isLoaded = false;
  error: ApiError | null = null;
  readonly #rows = new Map<number, EventSummary>();
  readonly #placeOf = new Map<string, number>();
  readonly #arrivedAt = new Map<string, number>();
  /** Ends what is being fetched. */
  #current = new AbortController();
  readonly #fetching = new Set<number>();
  #wanted = { first: 0, last: PAGE_ROWS - 1 };
  /** Requests are counted: an older answer must not undo a newer one's total. */
  #asked = 0;
  #answered = 0;
  #head: 'idle' | 'running' | 'again' = 'idle';

  constructor(fetchPage: FetchPage, filter: Filter) {
    this.#fetchPage = fetchPage;
    this.#filter = filter;
    this.refreshHead();
  }

  close(): void {
    this.#current.abort();
  }

  row(index: number): EventSummary | undefined {
    return this.#rows.get(this.total - 1 - index);
  }

  /** -1 when it isn't among the rows that were fetched. */
  indexOf(eventId: string): number {
    const place = this.#placeOf.get(eventId);
    return place === undefined ? -1 : this.total - 1 - place;
  }

  /** Whether it came while the list was open; those are pointed out for a moment. */
  isNew(index: number): boolean {
    const row = this.row(index);
    return row !== undefined && Date.now() - (this.#arrivedAt.get(row.id) ?? 0) < NEW_MS;
  }

  /** These rows are in view. */
  want(first: number, last: number): void {
    this.#wanted = { first, last };
    this.#fetchWanted();
  }

  /** Something came in, or may have: looks at the newest page, soon if it just has. */
  refreshHead(): void {
    if (this.#head === 'idle') void this.#followHead();
    else this.#head = 'again';
  }

  /**
   * The connection was lost and is back: what was asked for on the old one may
   * never be answered. What is shown stays until the new is there.
   */
  resync(): void {
    this.#current.abort();
    this.#current = new AbortController();
    this.#fetching.clear();
    this.#head = 'idle';
    this.refreshHead();
  }

  async #followHead(): Promise<void> {
    const { signal } = this.#current;
    do {
      this.#head = 'running';
      await this.#fetch(1);
      await new Promise((resolve) => setTimeout(resolve, HEAD_INTERVAL_MS));
      if (signal.aborted) return;
    } while ((this.#head as string) === 'again');
    this.#head = 'idle';
  }

  /** An attempt changed an event's status; under a filter by status, the list too. */
  onAttempt({ event_id, event_status, attempt }: StreamedAttempt): void {
    const place = this.#placeOf.get(event_id);
    const row = place === undefined ? undefined : this.#rows.get(place);
    if (row && place !== undefined && this.#filter.status === '') {
      this.#rows.set(place, {
        ...row,
        status: event_status,
        attempts: Math.max(row.attempts, attempt),
      });
      this.#changed();
    }
    if (this.#filter.status !== '') this.refreshHead();
  }

  #fetchWanted(): void {
    const { first, last } = this.#wanted;
    if (!this.isLoaded) return;
    for (let index = first; index <= Math.min(last, this.total - 1); index++) {
      if (this.#fetching.size >= MAX_AT_ONCE) return;
      const page = Math.floor(index / PAGE_ROWS) + 1;
      if (this.row(index) === undefined && !this.#fetching.has(page)) void this.#fetch(page);
    }
  }

  async #fetch(page: number): Promise<void> {
    const asked = ++this.#asked;
    const { signal } = this.#current;
    this.#fetching.add(page);
    try {
      const query = new URLSearchParams({
        view: 'summary',
        limit: String(PAGE_ROWS),
        page: String(page),
      });
      for (const [name, value] of Object.entries(this.#filter)) if (value) query.set(name, value);
      const found = await this.#fetchPage(`?${query}`, signal);
      if (signal.aborted) return;
      this.error = null;
      this.#take(found, (page - 1) * PAGE_ROWS, asked);
    } catch (error) {
      if (signal.aborted) return;
      this.error = asApiError(error);
    } finally {
      if (!signal.aborted) this.#fetching.delete(page);
    }
    this.#changed();
    // Not at once after an error: the next scroll or the next connection asks again.
    if (!this.error) this.#fetchWanted();
  }

  #take({ data, total }: Page, offset: number, asked: number): void {
    const places = data.map((event, i) => ({ event, place: total - 1 - offset - i }));
    // Retention or a change of status took events out of the middle: places have moved.
    const moved = places.some(({ event, place }) => {
      const there = this.#rows.get(place);
      const known = this.#placeOf.get(event.id);
      return (there && there.id !== event.id) || (known !== undefined && known !== place);
    });
    if (moved && asked < this.#answered) return;
    if (moved || (asked > this.#answered && total < this.total)) this.#forget();
    if (this.#rows.size > MAX_ROWS) this.#forget();
    const newFrom = this.total;
    if (asked > this.#answered || total > this.total) this.total = total;
    this.#answered = Math.max(this.#answered, asked);
    for (const { event, place } of places) {
      if (this.isLoaded && offset === 0 && place >= newFrom)
        this.#arrivedAt.set(event.id, Date.now());
      this.#rows.set(place, event);
      this.#placeOf.set(event.id, place);
    }
    this.isLoaded = true;
  }

  #forget(): void {
    this.#arrivedAt.clear();
    this.#rows.clear();
    this.#placeOf.clear();
  }

  #changed(): void {
    this.version.value++;
  }
}
