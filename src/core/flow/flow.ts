/**
 * What holds a destination back besides its settings. `Flow` is stored with the
 * destination as JSON; null where nothing holds. The store changes it inside the
 * transaction that records attempts or claims deliveries, so that all nodes obey one
 * breaker, one probe, one ramp and one rate.
 *
 *     healthy ── an attempt fails ──▶ failing ── long enough, often enough ──▶ open
 *        ▲                              │                                      │  ▲
 *        ├──── the receiver answers ────┘                       a probe is due │  │ it fails:
 *        │                                                                     ▼  │ wait twice as long
 *        └── ramp: 1, 2, 4 … at once ◀── the receiver answers ─────────── one probe under way
 *
 * A failure is one where the destination is at fault: no connection, no name, TLS, a
 * timeout, a 5xx or a 429. Any other answer resets the count of failures. An open
 * breaker lets deliveries wait and spends no attempt. When it closes, or when a pause
 * ends, a ramp lets one attempt at once go, and twice as many after each round of
 * answers.
 *
 * Times are Unix milliseconds.
 */
export interface Flow {
  /** The failures since the last answer; null without one. */
  failing: FailureRun | null;
  breaker: OpenBreaker | null;
  ramp: Ramp | null;
  /** A 429 or 503 asked to wait until then. */
  heldUntil: number | null;
  /** Starts that the rate counts. */
  starts: readonly RateSlot[];
  /** Deliveries that a person retries now, past breaker and backoff. */
  urgent: readonly DeliveryRef[];
  /** Lost probes before the last one. Their claims live until their leases end, and count no more. */
  lost: readonly DeliveryRef[];
  /** The nodes' shares of a fixed concurrency. Only where there are several nodes. */
  slots: readonly SlotLease[];
  /** Attempts from before the concurrency was fixed may be under way, without slots. */
  crowded: true | null;
}

export interface FailureRun {
  /** When the first of them began. */
  since: number;
  count: number;
  /** Events of the failures: the first few, each once. */
  events: readonly number[];
}

export interface OpenBreaker {
  since: number;
  nextProbeAt: number;
  failedProbes: number;
  /** The end of the queue that the last probe came from, and its delivery; null before the first. */
  last: { end: ProbeEnd; deliveryId: string } | null;
  /**
   * The last delivery claimed as a probe. Noted by a store whose claims stand in its tables.
   * From `until` on it is lost: the node that made it is dead.
   */
  probing?: DeliveryRef & { until?: number };
}

/** Probes alternate between the oldest and the newest waiting delivery. */
export type ProbeEnd = 'oldest' | 'newest';

export interface Ramp {
  /** Attempts that may be under way at once. */
  limit: number;
  /** Answers until the limit doubles. */
  left: number;
}

/** Starts granted between `first` and `last`. */
export type RateSlot = readonly [first: number, last: number, count: number];

/**
 * Attempts that a node may have under way at once, of those of a fixed concurrency. With
 * 0 the node waits for slots.
 */
export interface SlotLease {
  node: string;
  slots: number;
  until: number;
}

/** Most deliveries of a destination that people retry at the same time. */
export const MOST_URGENT = 20;

/** Names an open delivery of a known destination. */
export interface DeliveryRef {
  eventSeq: number;
  round: number;
}

export function isSame(one: DeliveryRef, other: DeliveryRef): boolean {
  return one.eventSeq === other.eventSeq && one.round === other.round;
}

export const NO_FLOW: Flow = {
  failing: null,
  breaker: null,
  ramp: null,
  heldUntil: null,
  starts: [],
  urgent: [],
  lost: [],
  slots: [],
  crowded: null,
};

/** The ramp's first step. */
export const RAMP_START: Ramp = { limit: 1, left: 1 };

export function readFlow(stored: string | null): Flow {
  return stored === null ? NO_FLOW : { ...NO_FLOW, ...(JSON.parse(stored) as Partial<Flow>) };
}

/** The stored form: only what holds; null where nothing does. */
export function storedFlow(flow: Flow): string | null {
  const held = Object.entries(flow).filter(([, value]) =>
    Array.isArray(value) ? value.length > 0 : value !== null,
  );
  return held.length === 0 ? null : JSON.stringify(Object.fromEntries(held));
}
