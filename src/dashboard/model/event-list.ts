import { signal } from '@preact/signals';
import type { StreamedAttempt } from '../../api/deliveries/attempt-answer.ts';
import type { EventSummaryAnswer } from '../../api/events/event-answer.ts';
import { withAttempt } from '../text/event-facts.ts';
import { type ApiError, asApiError } from './api-error.ts';
import type { ListFilter, ListQuery, PageOfList } from './list-filter.ts';
import { type FetchPage, SearchOn } from './search-on.ts';

const PAGE_ROWS = 100;
/**
 * The page size during a fast scroll, rows. The server skips all rows before a page, so a few large
 * pages cost the server less than many small ones.
 */
const WIDE_PAGE_ROWS = 400;
/** A scroll is fast if it will soon reach this many more rows. */
const FAST_AHEAD_ROWS = 200;
/** How many rows are prefetched on each side of a view at rest, for the beginning of a scroll. */
const REST_ROWS = 100;
/** The shortest delay between two fetches of the newest page while events arrive, ms. */
const HEAD_INTERVAL_MS = 250;
/** The same delay if the stream brings the rows, ms. The fetch then only confirms the rows. */
const CONFIRM_INTERVAL_MS = 1000;
const MAX_AT_ONCE = 4;
/** How long a new row is highlighted, ms. */
const NEW_MS = 1500;
/** At most this many rows are in memory. Above that, only rows near the view stay. */
const MAX_ROWS = 20_000;
/** How many rows near the view stay, on each side. */
const NEAR_ROWS = 2000;

/** Codes of errors that the filter itself causes. */
const STOPPING: ReadonlySet<string> = new Set(['invalid_input', 'search_too_long']);

/**
 * The rows of an event list. Row 0 is the newest. The list fetches only the rows in view and the
 * rows that a scroll will soon reach.
 *
 * The API counts pages from the newest event, so each new event shifts all pages. An event's place
 * from the oldest event doesn't change: it is `total - 1` minus the row. So the list stores events
 * by that place.
 *
 * Without a filter, an event of the live stream becomes a provisional row at once. A page that is
 * requested later replaces that row. With a filter, an arrival only triggers a fetch of the newest
 * page, because only the server applies filters. A page's rows and its total are of the same
 * moment, so no row is lost or doubled.
 */
export class EventList {
  static #made = 0;
  /** Distinguishes this list from other lists. */
  readonly id = ++EventList.#made;
  /** Continues a search that the server stopped. */
  readonly search: SearchOn;
  readonly #filter: ListFilter;
  readonly #isFiltered: boolean;
  /**
   * Whether the filter is a search. A page of a search may cost the server seconds, so none is
   * prefetched.
   */
  readonly #isSearch: boolean;
  /** Increases with each change, to redraw the list. */
  readonly version = signal(0);
  total = 0;
  isLoaded = false;
  error: ApiError | null = null;
  readonly #rows = new Map<number, EventSummaryAnswer>();
  readonly #placeOf = new Map<string, number>();
  readonly #arrivedAt = new Map<string, number>();
  /** Ids of rows from the stream that no page has confirmed yet, newest last. */
  #provisional: string[] = [];
  #current = new AbortController();
  /** The spans of rows that are being fetched; `to` is exclusive. */
  readonly #fetching = new Set<{ from: number; to: number }>();
  #wanted = { first: 0, last: PAGE_ROWS - 1, ahead: 0 };
  /**
   * The number of the last request. The answer to an older request must not replace a newer total.
   */
  #asked = 0;
  #answered = 0;
  #head: 'idle' | 'running' | 'again' = 'idle';
  readonly #located = new Map<string, 'under way' | 'absent'>();

  constructor(fetchPage: FetchPage, filter: ListFilter) {
    this.search = new SearchOn(fetchPage, () => this.refreshHead());
    this.#filter = filter;
    this.#isSearch = filter.q !== '' || filter.where !== '' || filter.type !== '';
    this.#isFiltered = Object.values(filter).some((value) => value !== '');
    this.refreshHead();
  }

  close(): void {
    this.#current.abort();
    this.search.close();
  }

  row(index: number): EventSummaryAnswer | undefined {
    return this.#rows.get(this.total - 1 - index);
  }

  /** Returns the row of an event, or -1 if the event isn't loaded. */
  indexOf(eventId: string): number {
    const place = this.#placeOf.get(eventId);
    return place === undefined ? -1 : this.total - 1 - place;
  }

  loaded(): EventSummaryAnswer[] {
    return [...this.#rows.values()];
  }

  /** Returns whether a row arrived in the last `NEW_MS`. */
  isNew(index: number): boolean {
    const row = this.row(index);
    return row !== undefined && Date.now() - (this.#arrivedAt.get(row.id) ?? 0) < NEW_MS;
  }

  /**
   * Fetches the rows that are in view.
   *
   * @param ahead how many more rows a scroll will soon reach: positive for older rows, negative for
   *   newer ones
   */
  want(first: number, last: number, ahead = 0): void {
    this.#wanted = { first, last, ahead };
    this.#fetchWanted();
  }

  /** Fetches the rows around an event. The list may not contain the event. */
  locate(eventId: string): void {
    if (this.#located.has(eventId) || this.#placeOf.has(eventId)) return;
    this.#located.set(eventId, 'under way');
    void this.#fetchAround(eventId);
  }

  isLocating(eventId: string): boolean {
    return this.#located.get(eventId) === 'under way';
  }

  /**
   * Adds an event of the live stream. Does nothing after an error that the filter causes. Otherwise
   * each event would repeat a wrong rule, or a search that takes too long.
   */
  onArrival(event: EventSummaryAnswer): void {
    if (STOPPING.has(this.error?.code ?? '')) return;
    if (this.isLoaded && !this.#isFiltered && !this.#placeOf.has(event.id)) {
      this.#put(event, this.total++);
      this.#provisional.push(event.id);
      this.#arrivedAt.set(event.id, Date.now());
      // The answers to earlier requests don't count this row.
      this.#answered = ++this.#asked;
      this.#changed();
    }
    this.refreshHead();
  }

  /** Fetches the newest page at once. If such a fetch is running, fetches again after a pause. */
  refreshHead(): void {
    if (this.#head === 'idle') void this.#followHead();
    else this.#head = 'again';
  }

  /**
   * Fetches again after a lost connection, because requests on that connection may never be
   * answered. The old rows stay until new rows arrive.
   */
  resync(): void {
    this.#current.abort();
    this.#current = new AbortController();
    this.#fetching.clear();
    this.#located.clear();
    this.#head = 'idle';
    this.refreshHead();
  }

  async #followHead(): Promise<void> {
    const { signal } = this.#current;
    do {
      this.#head = 'running';
      await this.#fetch(0, PAGE_ROWS);
      const pauseMs =
        this.isLoaded && !this.#isFiltered && !this.error ? CONFIRM_INTERVAL_MS : HEAD_INTERVAL_MS;
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
      if (signal.aborted) return;
    } while ((this.#head as string) === 'again');
    this.#head = 'idle';
  }

  /**
   * Updates an event's row. With a filter by status or waiting, fetches instead, because the event
   * may join or leave the list.
   */
  onAttempt(attempt: StreamedAttempt): void {
    const place = this.#placeOf.get(attempt.event_id);
    const row = this.#rowOf(attempt.event_id);
    const isByState = this.#filter.status !== '' || this.#filter.waiting !== '';
    if (row && place !== undefined && !isByState) {
      this.#rows.set(place, withAttempt(row, attempt));
      this.#changed();
    }
    if (isByState) this.refreshHead();
  }

  /**
   * Fetches the rows in view. Then fetches the rows that a scroll will soon reach, the nearest
   * first. A view at rest prefetches some rows on both sides instead.
   */
  #fetchWanted(): void {
    if (!this.isLoaded) return;
    const { first, last, ahead } = this.#wanted;
    this.#fetchSpan(first, last, PAGE_ROWS);
    const rows = Math.abs(ahead) >= FAST_AHEAD_ROWS ? WIDE_PAGE_ROWS : PAGE_ROWS;
    if (ahead > 0) this.#fetchSpan(last + 1, last + ahead, rows);
    else if (ahead < 0) this.#fetchSpan(first - 1, first + ahead, rows);
    else if (!this.#isSearch) {
      this.#fetchSpan(last + 1, last + REST_ROWS, PAGE_ROWS);
      this.#fetchSpan(first - 1, first - REST_ROWS, PAGE_ROWS);
    }
  }

  /** Fetches the pages that contain missing rows between `from` and `to`. */
  #fetchSpan(from: number, to: number, pageRows: number): void {
    const step = to < from ? -1 : 1;
    const end = Math.min(Math.max(0, to), this.total - 1);
    for (let index = from; step * (end - index) >= 0; index += step) {
      if (index < 0 || index >= this.total) continue;
      if (this.#fetching.size >= MAX_AT_ONCE) return;
      if (this.row(index) !== undefined || this.#isFetching(index)) continue;
      void this.#fetch(index - (index % pageRows), pageRows);
    }
  }

  #isFetching(index: number): boolean {
    for (const { from, to } of this.#fetching) if (index >= from && index < to) return true;
    return false;
  }

  /** @param offset a multiple of `pageRows` */
  async #fetch(offset: number, pageRows: number): Promise<void> {
    const asked = ++this.#asked;
    const { signal } = this.#current;
    const span = { from: offset, to: offset + pageRows };
    this.#fetching.add(span);
    try {
      const page = { page: offset / pageRows + 1, limit: pageRows };
      const found = await this.search.fetchPage(queryOf(this.#filter, page), signal);
      if (signal.aborted) return;
      this.error = null;
      this.#take(found, offset, asked);
    } catch (error) {
      if (signal.aborted) return;
      this.error = asApiError(error);
    } finally {
      if (!signal.aborted) this.#fetching.delete(span);
    }
    this.#changed();
    // After an error, nothing is fetched until the next scroll or connection.
    if (!this.error) this.#fetchWanted();
  }

  async #fetchAround(eventId: string): Promise<void> {
    const asked = ++this.#asked;
    const { signal } = this.#current;
    try {
      const found = await this.search.fetchPage(queryOf(this.#filter, { around: eventId }), signal);
      if (signal.aborted) return;
      this.#take(found, (found.page - 1) * PAGE_ROWS, asked);
    } catch {
      // The event doesn't match the filter, or is deleted. The event's own view says so.
      if (signal.aborted) return;
    }
    if (this.#placeOf.has(eventId)) this.#located.delete(eventId);
    else this.#located.set(eventId, 'absent');
    this.#changed();
  }

  #take({ data, total }: Awaited<ReturnType<FetchPage>>, offset: number, asked: number): void {
    const isNewest = asked > this.#answered;
    // An unchanged row keeps its object, so that the row's component isn't drawn again.
    const places = data.map((event, i) => ({
      event: same(this.#rowOf(event.id), event),
      place: total - 1 - offset - i,
    }));
    // The page was requested after the provisional rows came, so the page's total counts them.
    if (isNewest && offset === 0) this.#confirm(total - data.length);
    // Retention or a change of status has removed events from the middle if places have moved.
    const moved = places.some(({ event, place }) => {
      const there = this.#rows.get(place);
      const known = this.#placeOf.get(event.id);
      return (there && there.id !== event.id) || (known !== undefined && known !== place);
    });
    if (moved && !isNewest) return;
    if (moved || (isNewest && total < this.total)) this.#forget();
    if (this.#rows.size > MAX_ROWS) this.#forgetFarRows();
    const newFrom = this.total;
    if (isNewest || total > this.total) this.total = total;
    this.#answered = Math.max(this.#answered, asked);
    for (const { event, place } of places) {
      // A continued search adds older events, which haven't just arrived.
      const isAdded = !this.search.reach && offset === 0 && place >= newFrom;
      if (this.isLoaded && isAdded && !this.#arrivedAt.has(event.id)) {
        this.#arrivedAt.set(event.id, Date.now());
      }
      this.#put(event, place);
    }
    this.isLoaded = true;
  }

  #rowOf(eventId: string): EventSummaryAnswer | undefined {
    const place = this.#placeOf.get(eventId);
    return place === undefined ? undefined : this.#rows.get(place);
  }

  #put(event: EventSummaryAnswer, place: number): void {
    this.#rows.set(place, event);
    this.#placeOf.set(event.id, place);
  }

  /**
   * Drops the provisional rows that a page replaces. Older provisional rows stay, and count as
   * confirmed.
   */
  #confirm(oldestOfPage: number): void {
    for (const id of this.#provisional) {
      const place = this.#placeOf.get(id);
      if (place === undefined || place < oldestOfPage) continue;
      this.#placeOf.delete(id);
      this.#rows.delete(place);
    }
    this.#provisional = [];
  }

  #forget(): void {
    this.#arrivedAt.clear();
    this.#rows.clear();
    this.#placeOf.clear();
    this.#provisional = [];
  }

  /** Drops the rows that are far from the view, to free memory. */
  #forgetFarRows(): void {
    const newest = this.total - 1 - this.#wanted.first + NEAR_ROWS;
    const oldest = this.total - 1 - this.#wanted.last - NEAR_ROWS;
    for (const [place, { id }] of this.#rows) {
      if (place >= oldest && place <= newest) continue;
      this.#rows.delete(place);
      this.#placeOf.delete(id);
      this.#arrivedAt.delete(id);
    }
  }

  #changed(): void {
    this.version.value++;
  }
}

/** Returns the known row if it equals the new one, and otherwise the new one. */
function same(
  known: EventSummaryAnswer | undefined,
  event: EventSummaryAnswer,
): EventSummaryAnswer {
  return known && JSON.stringify(known) === JSON.stringify(event) ? known : event;
}

export const firstPageQuery = (filter: ListFilter): ListQuery => queryOf(filter, { page: 1 });

function queryOf(filter: ListFilter, where: Partial<PageOfList>): ListQuery {
  return { view: 'summary', limit: PAGE_ROWS, ...where, ...filter };
}
