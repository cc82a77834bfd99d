import type { CapturedRequest } from '../../core/http/captured-request.ts';
import type {
  Attempt,
  CaptureResponse,
  Delivery,
  Endpoint,
  EventStatus,
  EventSummary,
} from '../../core/model.ts';
import type { ClaimTerms, NewDeliveries } from './claims.ts';

export interface EventFilter {
  status?: EventStatus;
  method?: string;
  /** Inclusive. */
  from?: number;
  /** Exclusive. */
  to?: number;
  /** Literal, case-sensitive text that the body holds (see `core/search-text.ts`). */
  q?: string;
}

export interface EventStore {
  /**
   * Stores requests with the deliveries that they cause. Each request's
   * endpoint, its `isActive` and its destinations are read inside the commit: a
   * request whose endpoint is gone or paused is refused alone, not its
   * neighbours. New deliveries come back claimed as far as `terms` allow; the
   * others stay due in the table.
   */
  appendBatch(requests: readonly CapturedRequest[], terms: ClaimTerms): Promise<AppendBatchResult>;
  /** Null when the endpoint has no such event. */
  find(endpointKey: number, eventId: string): Promise<EventSummary | null>;
  /** The same by the event's id alone. Null when no endpoint of the account has it. */
  findOwned(
    userId: string,
    eventId: string,
  ): Promise<{ endpoint: Endpoint; event: EventSummary } | null>;
  /** Null when the event is gone. */
  content(seq: number): Promise<EventContent | null>;
  /** Those of the latest round, and older ones still open. Oldest first. */
  deliveries(seq: number): Promise<Delivery[]>;
  /** All of every round, in the order in which they were begun. */
  attempts(seq: number): Promise<Attempt[]>;
  /**
   * A page, newest first by sequence, and the exact number of all that match,
   * both of one moment. Beside so many captures that the storage can't wait for a
   * search to end, each event counts as it was when it was looked at, and the page
   * shows it as it is at the end, without those deleted by then. Throws `overloaded`
   * when too many searches are under way; rejects with the signal's reason when it
   * is aborted.
   */
  list(
    endpointKey: number,
    filter: EventFilter,
    window: { offset: number; limit: number },
    signal?: AbortSignal,
  ): Promise<EventPage>;
  /**
   * How many events an endpoint has, and how many were received in each hour of
   * the window. Without effect on captures, however many there are. All zero for
   * an endpoint that was deleted. Rejects like `list`.
   */
  eventActivity(
    endpointKey: number,
    window: HourWindow,
    signal?: AbortSignal,
  ): Promise<EventActivity>;
  /**
   * Attempts begun in each hour of the window, by hour and destination id, those
   * of destinations that were removed left out; nothing where there was none. A
   * backend may leave out what lies further back than the newest 500,000
   * attempts of the whole store. Rejects like `list`.
   */
  attemptActivity(
    endpointKey: number,
    window: HourWindow,
    signal?: AbortSignal,
  ): Promise<AttemptActivity[]>;
}

/** So many hours from a moment on. */
export interface HourWindow {
  from: number;
  hours: number;
}

export interface EventActivity {
  /** All events, by their status now. */
  totals: Record<EventStatus, number>;
  /** Events received in each hour of the window. */
  received: number[];
}

export interface AttemptActivity {
  destinationId: string;
  /** Of the window, from 0. */
  hour: number;
  /** Attempts that got a 2xx. */
  succeeded: number;
  failed: number;
  /** Of all of them together, and of the slowest. */
  totalMs: number;
  maxMs: number;
}

export interface EventPage {
  events: EventSummary[];
  /** All that match, on every page. */
  total: number;
}

/** What an event's row leaves to a second read: a body may be 25 MiB. */
export interface EventContent {
  query: string;
  rawHeaders: string[];
  body: Buffer;
}

export type AppendResult =
  | {
      stored: true;
      event: EventSummary;
      endpointKey: number;
      userId: string;
      response: CaptureResponse | null;
    }
  | { stored: false; reason: 'endpoint_not_found' | 'endpoint_inactive' };

export interface AppendBatchResult extends NewDeliveries {
  /** One for each request, in their order. */
  results: AppendResult[];
}
