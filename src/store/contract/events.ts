import type { Flow } from '../../core/flow/flow.ts';
import type { WaitingCount } from '../../core/flow/waiting.ts';
import type { CaptureResponse } from '../../core/http/capture-response.ts';
import type { CapturedRequest } from '../../core/http/captured-request.ts';
import type {
  Attempt,
  Delivery,
  Destination,
  Endpoint,
  EventStatus,
  EventSummary,
} from '../../core/model.ts';
import type { VerificationState } from '../../core/proof/verification.ts';
import type { Mismatch } from '../../core/rules/evaluate.ts';
import type { RuleSource } from '../../core/rules/rule.ts';
import type { JudgingSettings } from '../../core/rules/verdict.ts';
import type { ClaimTerms, NewDeliveries } from './claims.ts';
import type { Scope } from './scope.ts';

export interface EventFilter {
  status?: EventStatus;
  method?: string;
  /** Inclusive. */
  from?: number;
  /** Exclusive. */
  to?: number;
  /**
   * Text that the body must contain, literally and in the same case (see
   * `store/shared/search/search-text.ts`).
   */
  q?: string;
  /** Whether `q` ignores case (see `store/shared/search/folded-text.ts`). */
  ignoreCase?: boolean;
  /** The event type, from the headers. If they name none, from the body. */
  type?: string;
  /** A rule that the request must fit. The caller has checked the rule (`checkedSource`). */
  where?: RuleSource;
  /**
   * The id of a destination. Its filter dropped the event, and no later round has delivered the
   * event there.
   */
  filteredBy?: string;
  verification?: VerificationState;
  /** `only`: only events that repeat an earlier one. `hide`: only the other events. */
  duplicates?: 'only' | 'hide';
  /** Only events with a greater sequence number. */
  after?: number;
  /** Only events with a smaller sequence number. */
  before?: number;
}

export interface EventStore {
  /**
   * Stores requests and their deliveries. The commit reads each request's endpoint and
   * destinations. If an endpoint is gone or paused, this refuses only the requests to that
   * endpoint. `terms` say how many new deliveries the commit claims. The others stay due in the
   * table.
   *
   * Among all requests with the same key (`Verdict.once`), ever and on all nodes, exactly one is
   * the first. The others become its duplicates, and get no deliveries. A request that its verdict
   * refuses becomes a rejected request (`contract/rejected.ts`).
   *
   * If the verdict is `unjudged` and the endpoint holds such events, the deliveries wait for
   * `DeliveryStore.retry`.
   */
  appendBatch(requests: readonly CapturedRequest[], terms: ClaimTerms): Promise<AppendBatchResult>;
  /** Returns null if the endpoint has no such event. */
  find(endpointKey: number, eventId: string): Promise<EventSummary | null>;
  /** Finds an event by its id. Returns null if no endpoint of the account has it. */
  findOwned(
    userId: string,
    eventId: string,
  ): Promise<{ endpoint: Endpoint; event: EventSummary } | null>;
  /** Returns null if the event is gone. */
  content(seq: number): Promise<EventContent | null>;
  /**
   * Deletes an event with all that belongs to it. Ends its open deliveries; an attempt under way
   * leaves no record. Returns `freed`, the keys of destinations where the next delivery of an order
   * key may go now. Returns null if the endpoint has no such event.
   */
  remove(endpointKey: number, eventId: string): Promise<{ freed: Set<number> } | null>;
  /**
   * Returns the event's deliveries, oldest first: the newest one to each destination and one-off
   * URL since the latest replay to all destinations, and the earlier ones that are still open.
   *
   * @param now the time for which `waitsFor` of open deliveries is computed
   */
  deliveries(seq: number, now: number): Promise<Delivery[]>;
  /** Returns the attempts of all rounds, in the order in which they began. */
  attempts(seq: number): Promise<Attempt[]>;
  /**
   * Returns a page of the scope's matching events, and their exact number. The newest event comes
   * first, by sequence.
   *
   * Page and number show the same moment, unless captures are too frequent for the storage to wait
   * for the search. Then each event counts by the state that the search read. The page shows the
   * states at the end of the search, and leaves out events that are deleted by then.
   *
   * A search by `q`, `type` or `where` stops when its time (`window.forMs`) is over. It also stops
   * at an event that takes too many steps to judge. It then returns where it stopped, and the
   * newest of the matches that it found, at most 1000. It ignores the rest of the window.
   *
   * Throws `overloaded` if too many searches are under way. Rejects with the signal's reason when
   * the signal is aborted.
   */
  list(
    scope: Scope,
    filter: EventFilter,
    window: ListWindow,
    signal?: AbortSignal,
  ): Promise<EventPage>;
  /**
   * Tries rules on an endpoint's events, newest first. Returns the events that it tried before the
   * deadline, without events that are gone. Rejects like `list`.
   */
  tryRules(endpointKey: number, trial: RuleTrialInput, signal?: AbortSignal): Promise<TriedEvent[]>;
  /**
   * Returns the newest events with their contents, newest first: at most `most` events. It stops
   * after the event with which their bodies reach `bytes` bytes in total.
   *
   * @param before only events with a smaller sequence number; null for all
   */
  newest(
    endpointKey: number,
    before: number | null,
    limits: { most: number; bytes: number },
  ): Promise<{ event: EventSummary; content: EventContent }[]>;
  /**
   * Returns how many events an endpoint has, and how many it received in each hour of the window.
   * Doesn't slow captures down, even with many events. Returns zeros for a deleted endpoint.
   * Rejects like `list`.
   */
  eventActivity(
    endpointKey: number,
    window: HourWindow,
    signal?: AbortSignal,
  ): Promise<EventActivity>;
  /**
   * Counts the attempts that began in the window, by hour and destination id. Leaves out removed
   * destinations and hours without an attempt. A backend may read only the newest 500,000 attempts
   * of the whole store. Rejects like `list`.
   */
  attemptActivity(
    endpointKey: number,
    window: HourWindow,
    signal?: AbortSignal,
  ): Promise<AttemptActivity[]>;
  /**
   * Returns figures about all endpoints of a scope. Reads only the newest 500,000 attempts of the
   * whole store. `sampled` says whether it left out older ones. Rejects like `list`.
   */
  overview(scope: Scope, window: OverviewWindow, signal?: AbortSignal): Promise<Overview>;
}

export interface RuleTrialInput {
  /** Null fits every event. */
  rules: readonly (RuleSource | null)[];
  /** The newest `last` events, or the events with these ids. */
  events: { last: number } | { ids: readonly string[] };
  /** How long it may take, ms. After that, it tries no further event. */
  deadlineMs: number;
}

export interface TriedEvent {
  id: string;
  /**
   * Whether the request fits each rule, in order. If judging takes too many steps, all are true.
   */
  fits: boolean[];
  isTooCostly: boolean;
  /** Values that operators of the first rule can't take. */
  mismatches: Mismatch[];
}

/** Which of the matching events a list returns. */
export interface ListWindow {
  offset: number;
  limit: number;
  /** Whether to read the types that only bodies name. */
  typesInBodies?: boolean;
  /**
   * The time after which a search stops, ms. A search always makes some progress first. Default: no
   * limit
   */
  forMs?: number;
}

/** `hours` hours that start at `from`. */
export interface HourWindow {
  from: number;
  hours: number;
}

export interface EventActivity {
  /** The number of events by their status now. */
  totals: Record<EventStatus, number>;
  /** The number of events received in each hour of the window. */
  received: number[];
}

export interface AttemptActivity {
  destinationId: string;
  /** Index of the hour in the window, from 0. */
  hour: number;
  /** Attempts that got a 2xx. */
  succeeded: number;
  failed: number;
  /** Durations: the sum of all attempts, and the slowest. */
  totalMs: number;
  maxMs: number;
}

/** `buckets` spans of `bucketMs` that start at `from`, Unix ms. */
export interface OverviewWindow {
  from: number;
  bucketMs: number;
  buckets: number;
}

/** Percentiles of attempts' durations, ms, by the nearest rank. */
export interface Percentiles {
  p50: number;
  p95: number;
  p99: number;
}

export interface OverviewAttempts {
  /** Attempts that got a 2xx. */
  succeeded: number;
  failed: number;
  /** Null if there is no attempt. */
  latency: Percentiles | null;
}

/** A destination that doesn't deliver, because somebody stopped it or its attempts fail. */
export interface HeldDestination {
  endpointId: string;
  destination: Destination;
  flow: Flow;
  waiting: WaitingCount;
}

/** Figures about a scope's endpoints. */
export interface Overview {
  /**
   * Counts of the events received in the window, by endpoint, bucket and present status. Without
   * zeros.
   */
  events: { endpointId: string; bucket: number; status: EventStatus; count: number }[];
  /**
   * When each endpoint received its newest event, Unix ms. Without endpoints that have no event.
   */
  lastAt: { endpointId: string; at: number }[];
  /** Attempts that began in the window, by bucket. Without empty buckets. */
  attempts: ({ bucket: number } & OverviewAttempts)[];
  allAttempts: OverviewAttempts;
  /** Whether the figures leave out older attempts of the window, because the store has too many. */
  sampled: boolean;
  /** Open deliveries of all destinations. */
  waiting: WaitingCount;
  /** The held destinations with the most open deliveries, at most 20. */
  held: HeldDestination[];
}

export interface EventPage {
  events: EventSummary[];
  /** How many events match, on all pages. If the search stopped, the number of `events`. */
  total: number;
  /** Set if the search stopped before its end. */
  stopped?: SearchStop;
}

/** Where a search stopped. Another search continues it, with this `before` in its filter. */
export interface SearchStop {
  /** The search found every match at this sequence number or above. */
  before: number;
  /**
   * How many of the scope's events have this sequence number (`before`) or a greater one. The
   * search has judged them.
   */
  lookedAt: number;
  /**
   * When the oldest of the judged events was received, Unix ms. Null if all of them are deleted.
   */
  until: number | null;
  /**
   * The id of the event at `before`, if it takes too many steps to judge. Null if the time was
   * over.
   */
  tooCostly: string | null;
}

/** The part of an event that needs a second read, because a body may be 25 MiB. */
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
  | { stored: false; reason: 'endpoint_not_found' | 'endpoint_inactive' }
  /** The request's verdict refused it. */
  | { stored: false; reason: 'signature_invalid' }
  /** The rejected request is deleted, or another call has accepted it. */
  | { stored: false; reason: 'rejected_not_found' }
  /**
   * The settings changed, or the request has no verdict. The caller judges it by these settings and
   * appends it again.
   */
  | { stored: false; reason: 'stale'; judgeBy: JudgingSettings };

export interface AppendBatchResult extends NewDeliveries {
  /** One result for each request, in order. */
  results: AppendResult[];
}
