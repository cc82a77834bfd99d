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
  /** Literal, case-sensitive text in the body (see `store/shared/search/search-text.ts`). */
  q?: string;
  /** Whether `q` matches in any case (see `store/shared/search/folded-text.ts`). */
  ignoreCase?: boolean;
  /** Event type, from the headers or otherwise from the body. */
  type?: string;
  /** Rule that the request fits. The caller has checked it (`checkedSource`). */
  where?: RuleSource;
  /** Id of a destination whose filter dropped the event, and that hasn't got it since. */
  filteredBy?: string;
  verification?: VerificationState;
  /** `only`: events that repeat an earlier one. `hide`: all others. */
  duplicates?: 'only' | 'hide';
  /** Only events with a greater sequence number. */
  after?: number;
  /** Only events with a smaller sequence number. */
  before?: number;
}

export interface EventStore {
  /**
   * Stores requests with the deliveries that they cause. The commit reads each request's
   * endpoint and destinations. If an endpoint is gone or paused, only its own requests are
   * refused. `terms` say how many new deliveries are claimed; the others stay due in the
   * table.
   *
   * Of all requests with the same key (`Verdict.once`), ever and on all nodes, one is the
   * first. The others become its duplicates, without deliveries. A request that its verdict
   * refuses becomes a rejected one (`contract/rejected.ts`).
   *
   * If the verdict is `unjudged` and the endpoint holds such events, the deliveries wait for
   * `DeliveryStore.retry`.
   */
  appendBatch(requests: readonly CapturedRequest[], terms: ClaimTerms): Promise<AppendBatchResult>;
  /** Null when the endpoint has no such event. */
  find(endpointKey: number, eventId: string): Promise<EventSummary | null>;
  /** Finds an event by its id. Null when no endpoint of the account has it. */
  findOwned(
    userId: string,
    eventId: string,
  ): Promise<{ endpoint: Endpoint; event: EventSummary } | null>;
  /** Null when the event is gone. */
  content(seq: number): Promise<EventContent | null>;
  /**
   * Deletes an event with all that belongs to it. Its open deliveries end; an attempt under
   * way leaves no record. `freed`: destinations where the next delivery of an order key may
   * go now. Null when the endpoint has no such event.
   */
  remove(endpointKey: number, eventId: string): Promise<{ freed: Set<number> } | null>;
  /**
   * The newest delivery to each destination and one-off URL since the latest replay to all
   * destinations, and the earlier ones that are still open. Oldest first.
   *
   * @param now the time for which `waitsFor` of open deliveries is worked out
   */
  deliveries(seq: number, now: number): Promise<Delivery[]>;
  /** Attempts of all rounds, in the order in which they began. */
  attempts(seq: number): Promise<Attempt[]>;
  /**
   * A page of the scope's matching events, newest first by sequence, and their exact
   * number.
   *
   * Both show one moment, unless there are too many captures for the storage to wait until
   * the search ends. Each event then counts by its state when the search read it. The page
   * shows the states at the end, and leaves out events that are deleted by then.
   *
   * A search by `q`, `type` or `where` stops when its time (`window.forMs`) is over, and at
   * an event that takes too many steps to judge. It then returns where it stopped and the
   * newest matches that it found, at most 1000, and ignores the rest of the window.
   *
   * Throws `overloaded` when too many searches are under way. Rejects with the signal's
   * reason when the signal is aborted.
   */
  list(
    scope: Scope,
    filter: EventFilter,
    window: ListWindow,
    signal?: AbortSignal,
  ): Promise<EventPage>;
  /**
   * Tries rules on an endpoint's events, newest first, and returns those that it tried until
   * the deadline. Leaves out events that are gone. Rejects like `list`.
   */
  tryRules(endpointKey: number, trial: RuleTrialInput, signal?: AbortSignal): Promise<TriedEvent[]>;
  /**
   * The newest events with their contents, newest first: at most `most`, and none after
   * their bodies have `bytes` bytes in total.
   *
   * @param before only events with a smaller sequence number; null for all
   */
  newest(
    endpointKey: number,
    before: number | null,
    limits: { most: number; bytes: number },
  ): Promise<{ event: EventSummary; content: EventContent }[]>;
  /**
   * How many events an endpoint has, and how many it received in each hour of the window.
   * Doesn't slow captures down, even with many events. All zero for a deleted endpoint.
   * Rejects like `list`.
   */
  eventActivity(
    endpointKey: number,
    window: HourWindow,
    signal?: AbortSignal,
  ): Promise<EventActivity>;
  /**
   * Attempts that began in the window, by hour and destination id. Leaves out removed
   * destinations and hours without an attempt. A backend may read only the newest 500,000
   * attempts of the whole store. Rejects like `list`.
   */
  attemptActivity(
    endpointKey: number,
    window: HourWindow,
    signal?: AbortSignal,
  ): Promise<AttemptActivity[]>;
  /**
   * What happens at all endpoints of a scope. Reads only the newest 500,000 attempts of the
   * whole store, and says whether it left out others (`sampled`). Rejects like `list`.
   */
  overview(scope: Scope, window: OverviewWindow, signal?: AbortSignal): Promise<Overview>;
}

export interface RuleTrialInput {
  /** Null fits every event. */
  rules: readonly (RuleSource | null)[];
  /** The newest events, or these. */
  events: { last: number } | { ids: readonly string[] };
  /** Time after which no further event is tried, ms. */
  deadlineMs: number;
}

export interface TriedEvent {
  id: string;
  /** Whether the request fits each rule, in order. All true if judging takes too many steps. */
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
  /** Time after which a search stops, ms. It always makes some progress. Default: no limit */
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

/** A destination that doesn't deliver: somebody stopped it, or its attempts fail. */
export interface HeldDestination {
  endpointId: string;
  destination: Destination;
  flow: Flow;
  waiting: WaitingCount;
}

/** What happens at a scope's endpoints. */
export interface Overview {
  /** Events received in the window, by endpoint, bucket and status now. Without zeros. */
  events: { endpointId: string; bucket: number; status: EventStatus; count: number }[];
  /** When each endpoint received its newest event, Unix ms. Without endpoints that have none. */
  lastAt: { endpointId: string; at: number }[];
  /** Attempts that began in the window, by bucket. Without empty buckets. */
  attempts: ({ bucket: number } & OverviewAttempts)[];
  allAttempts: OverviewAttempts;
  /** Whether older attempts of the window were left out, because the store has too many. */
  sampled: boolean;
  /** Open deliveries of all destinations. */
  waiting: WaitingCount;
  /** Those with the most open deliveries, at most 20. */
  held: HeldDestination[];
}

export interface EventPage {
  events: EventSummary[];
  /** The number of matching events on all pages; if the search stopped, the number of `events`. */
  total: number;
  /** Set if the search stopped before its end. */
  stopped?: SearchStop;
}

/** Where a search stopped. Another search with this `before` in its filter continues it. */
export interface SearchStop {
  /** The search found every match from this sequence number up. */
  before: number;
  /** The number of the scope's events from `before` up, which the search has judged. */
  lookedAt: number;
  /** When the oldest of them was received, Unix ms. Null if all are deleted. */
  until: number | null;
  /** Id of the event at `before` that takes too many steps to judge. Null if the time was over. */
  tooCostly: string | null;
}

/** The part of an event that needs a second read: a body may be 25 MiB. */
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
  /** Its verdict refused it. */
  | { stored: false; reason: 'signature_invalid' }
  /** Another call has accepted the rejected request, or it is deleted. */
  | { stored: false; reason: 'rejected_not_found' }
  /** The settings changed, or there is no verdict: judge by these settings, and append again. */
  | { stored: false; reason: 'stale'; judgeBy: JudgingSettings };

export interface AppendBatchResult extends NewDeliveries {
  /** One result for each request, in order. */
  results: AppendResult[];
}
