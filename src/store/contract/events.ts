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
  /** Text that the body must contain, literally (`store/shared/search/search-text.ts`). */
  q?: string;
  /** Whether `q` ignores case (`store/shared/search/folded-text.ts`). */
  ignoreCase?: boolean;
  /** The event type, from the headers. If they name none, from the body. */
  type?: string;
  /** A rule that the request must match. The caller has checked the rule (`checkedSource`). */
  where?: RuleSource;
  /**
   * The id of a destination whose filter dropped the event. Later rounds haven't delivered the
   * event there.
   */
  filteredBy?: string;
  verification?: VerificationState;
  /** `only`: events that repeat an earlier one. `hide`: all other events. */
  duplicates?: 'only' | 'hide';
  /** Only events with an open delivery, of any round. */
  waiting?: true;
  /** Only events with a greater sequence number. */
  after?: number;
  /** Only events with a smaller sequence number. */
  before?: number;
}

export interface EventStore {
  /**
   * Stores requests and their deliveries. The commit reads each request's endpoint and
   * destinations. If an endpoint is gone or paused, refuses only the requests to that endpoint.
   * Claims new deliveries within `terms`. The others stay due in the table.
   *
   * Of all requests with the same key (`Verdict.once`), on all nodes, exactly one is the first. The
   * others become its duplicates and get no deliveries. A request that its verdict refuses becomes
   * a rejected request (`contract/rejected.ts`).
   *
   * If the verdict is `unjudged` and the endpoint holds such events, the deliveries wait for
   * `DeliveryStore.retry`.
   */
  appendBatch(requests: readonly CapturedRequest[], terms: ClaimTerms): Promise<AppendBatchResult>;
  /** Returns null if the endpoint has no such event. */
  find(endpointKey: number, eventId: string): Promise<EventSummary | null>;
  /** Returns null if no endpoint of the account has the event. */
  findOwned(
    userId: string,
    eventId: string,
  ): Promise<{ endpoint: Endpoint; event: EventSummary } | null>;
  /** Returns null if the event is gone. */
  content(seq: number): Promise<EventContent | null>;
  /**
   * Deletes an event with all its rows, and ends its open deliveries. An attempt under way leaves
   * no record. Returns null if the endpoint has no such event.
   *
   * Returns `freed`: keys of destinations where the next delivery of an order key may start.
   */
  remove(endpointKey: number, eventId: string): Promise<{ freed: Set<number> } | null>;
  /**
   * Returns the event's deliveries, oldest first. For each destination and one-off URL, this is the
   * newest delivery since the latest replay to all destinations. Also returns earlier deliveries
   * that are still open.
   *
   * @param now the time for which `waitsFor` of open deliveries is computed
   */
  deliveries(seq: number, now: number): Promise<Delivery[]>;
  /** Returns the attempts of all rounds, in the order of their start. */
  attempts(seq: number): Promise<Attempt[]>;
  /**
   * Returns a page of the scope's matching events, and their exact number. The newest event comes
   * first, by sequence.
   *
   * Page and number show the same moment, unless frequent captures can't wait for the search. Then
   * the number counts the states that the search read. The page shows the states at the end of the
   * search, and omits events that were deleted meanwhile.
   *
   * A search by `q`, `type` or `where` stops after `window.forMs`, or at an event that takes too
   * many steps to judge. It then returns its place and the newest matches, at most 1000. It ignores
   * `offset` and `limit`.
   *
   * Throws `overloaded` if too many searches run. Rejects with the signal's reason if the signal is
   * aborted.
   */
  list(
    scope: Scope,
    filter: EventFilter,
    window: ListWindow,
    signal?: AbortSignal,
  ): Promise<EventPage>;
  /**
   * Tests rules on an endpoint's events, newest first. Returns the events that it tested before the
   * deadline. Omits events that are gone. Rejects like `list`.
   */
  tryRules(endpointKey: number, trial: RuleTrialInput, signal?: AbortSignal): Promise<TriedEvent[]>;
  /**
   * Returns the newest events with their contents, newest first, at most `most`. Stops after the
   * event with which the bodies reach `bytes` in total.
   *
   * @param before only events with a smaller sequence number; null for all
   */
  newest(
    endpointKey: number,
    before: number | null,
    limits: { most: number; bytes: number },
  ): Promise<{ event: EventSummary; content: EventContent }[]>;
  /**
   * Counts an endpoint's events, and those received in each hour of the window. Doesn't slow
   * captures down. Returns zeros for a deleted endpoint. Rejects like `list`.
   */
  eventActivity(
    endpointKey: number,
    window: HourWindow,
    signal?: AbortSignal,
  ): Promise<EventActivity>;
  /**
   * Counts the attempts that began in the window, by hour and destination. Omits removed
   * destinations and hours without attempts. May read only the newest 500,000 attempts of the whole
   * store. Rejects like `list`.
   */
  attemptActivity(
    endpointKey: number,
    window: HourWindow,
    signal?: AbortSignal,
  ): Promise<AttemptActivity[]>;
  /**
   * Returns figures about all endpoints of a scope. Reads only the newest 500,000 attempts of the
   * whole store. Rejects like `list`.
   */
  overview(scope: Scope, window: OverviewWindow, signal?: AbortSignal): Promise<Overview>;
}

export interface RuleTrialInput {
  /** Null matches every event. */
  rules: readonly (RuleSource | null)[];
  /** The newest `last` events, or the events with these ids. */
  events: { last: number } | { ids: readonly string[] };
  /** No further event is tested after this time, ms. */
  deadlineMs: number;
}

export interface TriedEvent {
  id: string;
  /** Whether the request matches each rule, in order. All true if judging takes too many steps. */
  fits: boolean[];
  isTooCostly: boolean;
  /** Values of the wrong type for an operator of the first rule. */
  mismatches: Mismatch[];
}

export interface ListWindow {
  offset: number;
  limit: number;
  /** Whether to read the types that only bodies name. */
  typesInBodies?: boolean;
  /**
   * The time after which a search stops, ms. Every search makes some progress first. Default: no
   * limit
   */
  forMs?: number;
}

/** `hours` hours from `from` on. */
export interface HourWindow {
  from: number;
  hours: number;
}

export interface EventActivity {
  /** The number of events by their present status. */
  totals: Record<EventStatus, number>;
  /** The number of events received in each hour of the window. */
  received: number[];
}

export interface AttemptActivity {
  destinationId: string;
  /** The index of the hour in the window, from 0. */
  hour: number;
  /** Attempts that got a 2xx. */
  succeeded: number;
  failed: number;
  /** The sum of the durations, and the longest. */
  totalMs: number;
  maxMs: number;
}

/** `buckets` spans of `bucketMs` from `from` on, Unix ms. */
export interface OverviewWindow {
  from: number;
  bucketMs: number;
  buckets: number;
}

/** Nearest-rank percentiles of attempt durations, ms. */
export interface Percentiles {
  p50: number;
  p95: number;
  p99: number;
}

export interface OverviewAttempts {
  /** Attempts that got a 2xx. */
  succeeded: number;
  failed: number;
  /** Null without attempts. */
  latency: Percentiles | null;
}

/** A destination that doesn't deliver, because somebody stopped it or its attempts fail. */
export interface HeldDestination {
  endpointId: string;
  destination: Destination;
  flow: Flow;
  waiting: WaitingCount;
}

export interface Overview {
  /** The events received in the window, by endpoint, bucket and present status. Without zeros. */
  events: { endpointId: string; bucket: number; status: EventStatus; count: number }[];
  /** When each endpoint received its newest event, Unix ms. Omits endpoints without events. */
  lastAt: { endpointId: string; at: number }[];
  /** Attempts that began in the window, by bucket. Omits empty buckets. */
  attempts: ({ bucket: number } & OverviewAttempts)[];
  allAttempts: OverviewAttempts;
  /** Whether the figures omit older attempts, because the store has too many. */
  sampled: boolean;
  /** Open deliveries of all destinations. */
  waiting: WaitingCount;
  /** The 20 held destinations with the most open deliveries. */
  held: HeldDestination[];
}

export interface EventPage {
  events: EventSummary[];
  /** The number of matching events on all pages. If the search stopped, the number of `events`. */
  total: number;
  /** Set if the search stopped before its end. */
  stopped?: SearchStop;
}

/** Where a search stopped. A search with this `before` in its filter continues it. */
export interface SearchStop {
  /** The search found every match with this or a greater sequence number. */
  before: number;
  /** The number of the scope's events that the search has judged, down to `before`. */
  lookedAt: number;
  /** When the oldest of the judged events was received, Unix ms. Null if all are deleted. */
  until: number | null;
  /**
   * The id of the event at `before`, if it takes too many steps to judge. Null if the time ran out.
   */
  tooCostly: string | null;
}

/** The part of an event that lists omit, because a body may have 25 MiB. */
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
  /** The rejected request is deleted or was already accepted. */
  | { stored: false; reason: 'rejected_not_found' }
  /**
   * The settings changed, or the request has no verdict. The caller judges the request by these
   * settings and appends it again.
   */
  | { stored: false; reason: 'stale'; judgeBy: JudgingSettings };

export interface AppendBatchResult extends NewDeliveries {
  /** One result for each request, in order. */
  results: AppendResult[];
}
