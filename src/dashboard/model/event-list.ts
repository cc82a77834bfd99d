import { signal } from '@preact/signals';
import type { StreamedAttempt } from '../../api/answers/attempt.ts';
import type { EventSummary } from '../../api/answers/event.ts';
import { type ApiError, asApiError } from './api-error.ts';

const PAGE_ROWS = 100;
/** Interval between two fetches of the newest page while events arrive, ms. */
const HEAD_INTERVAL_MS = 250;
const MAX_AT_ONCE = 2;
/** Time that a new row is highlighted, ms. */
const NEW_MS = 1500;
/** Rows kept in memory. Above this, only the rows in view stay. */
const MAX_ROWS = 20_000;

/** Errors of the filter itself. */
const STOPPING: ReadonlySet<string> = new Set(['invalid_input', 'search_too_long']);

export interface Filter {
  status: string;
  method: string;
  from: string;
  to: string;
  q: string;
  /** The type of the event. */
  type: string;
  /** A rule. */
  where: string;
  /** The state of the sender's proof. */
  verification: string;
  /** `only` or `hide`. */
  duplicates: string;
}

interface Page {
  data: EventSummary[];
  total: number;
}

/** Fetches a page of the list. */
export type FetchPage = (query: string, signal: AbortSignal) => Promise<Page>;

/**
 * The rows of an endpoint's event list. It fetches only the rows in view. Row 0 is
 * the newest.
 *
 * The API counts pages from the newest event, so every arrival moves all pages.
 * Rows are stored by their place from the oldest, which stays: `total - 1 - row`.
 *
 * News from the stream only causes a fetch of the newest page. The total and the
 * rows of a page belong to one moment, so no row is lost or doubled. The server
 * applies every filter.
 */
export class EventList {
  static #made = 0;
  /** Distinguishes this list from others. */
  readonly id = ++EventList.#made;
  readonly #fetchPage: FetchPage;
  readonly #filter: Filter;
  /** Counts the changes, for the component that draws the list. */
  readonly version = signal(0);
  total = 0;
  isLoaded = false;
  error: ApiError | null = null;
  readonly #rows = new Map<number, EventSummary>();
  readonly #placeOf = new Map<string, number>();
  readonly #arrivedAt = new Map<string, number>();
  /** Aborts the running fetches. */
  #current = new AbortController();
  readonly #fetching = new Set<number>();
  #wanted = { first: 0, last: PAGE_ROWS - 1 };
  /** Number of requests. An older answer must not replace a newer total. */
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

  /** The row of an event, or -1 for an event that wasn't fetched. */
  indexOf(eventId: string): number {
    const place = this.#placeOf.get(eventId);
    return place === undefined ? -1 : this.total - 1 - place;
  }

  /** Whether a row arrived a moment ago, while the list was open. */
  isNew(index: number): boolean {
    const row = this.row(index);
    return row !== undefined && Date.now() - (this.#arrivedAt.get(row.id) ?? 0) < NEW_MS;
  }

  /** Fetches the rows that are in view. */
  want(first: number, last: number): void {
    this.#wanted = { first, last };
    this.#fetchWanted();
  }

  /**
   * Fetches the newest page when an event arrives. After an error of the filter it
   * doesn't: a wrong rule stays wrong, and a search that takes too long would run
   * without end.
   */
  onArrival(): void {
    if (!STOPPING.has(this.error?.code ?? '')) this.refreshHead();
  }

  /** Fetches the newest page: now, or after `HEAD_INTERVAL_MS` while a fetch runs. */
  refreshHead(): void {
    if (this.#head === 'idle') void this.#followHead();
    else this.#head = 'again';
  }

  /**
   * Starts again after a lost connection, because requests on the old connection
   * may never be answered. The rows stay until new ones arrive.
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

  /** Updates an event's status. A filter by status needs a fetch, because the list changes too. */
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
    // After an error, only the next scroll or connection fetches again.
    if (!this.error) this.#fetchWanted();
  }

  #take({ data, total }: Page, offset: number, asked: number): void {
    const places = data.map((event, i) => ({ event, place: total - 1 - offset - i }));
    // Retention or a change of status removed events from the middle, so places have moved.
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
