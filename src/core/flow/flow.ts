/**
 * What holds a destination back, besides its settings. The destination's row has it as JSON;
 * null where nothing holds. The store changes it in the transaction that records attempts or
 * claims deliveries, so all nodes obey one breaker, one probe, one ramp and one rate.
 *
 *     healthy ── an attempt fails ──▶ failing ── long enough, often enough ──▶ open
 *        ▲                              │                                      │  ▲
 *        ├──── the receiver answers ────┘                       a probe is due │  │ it fails:
 *        │                                                                     ▼  │ wait twice as long
 *        └── ramp: 1, 2, 4 … at once ◀── the receiver answers ─────────── one probe under way
 *
 * A failure counts when the destination is at fault: no connection, no name, TLS, a timeout, a
 * 5xx or a 429. Any other answer resets the count. While the breaker is open, deliveries wait and
 * spend no attempts. When it closes, or when a pause ends, a ramp allows one attempt at once, and
 * twice as many after each round of answers.
 *
 * Times are Unix milliseconds.
 */
export interface Flow {
  /** The failures since the last answer; null without one. */
  failing: FailureRun | null;
  breaker: OpenBreaker | null;
  ramp: Ramp | null;
  /** A 429 or 503 asked to wait until this time. */
  heldUntil: number | null;
  /** Starts that the rate counts. */
  starts: readonly RateSlot[];
  /** Deliveries that a person retries now, past breaker and backoff. */
  urgent: readonly DeliveryRef[];
  /** Lost probes before the last one. Their claims don't count, though their leases still run. */
  lost: readonly DeliveryRef[];
  /** The nodes' shares of a fixed concurrency. Empty where there is one node. */
  slots: readonly SlotLease[];
  /** Attempts that began before the concurrency was fixed may be under way, without slots. */
  crowded: true | null;
}

interface FailureRun {
  /** When the first failed attempt began. */
  since: number;
  count: number;
  /** The first few events that failed, each once. */
  events: readonly number[];
}

export interface OpenBreaker {
  since: number;
  nextProbeAt: number;
  failedProbes: number;
  /** The last probe: its end of the queue and its delivery; null before the first. */
  last: { end: ProbeEnd; deliveryId: string } | null;
  /**
   * The delivery that was last claimed as a probe. Only a store that keeps claims in its tables
   * notes it. After `until` the probe is lost: its node is dead.
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
 * A node's share of a fixed concurrency: attempts that it may have under way at once. With 0
 * slots the node waits for some.
 */
export interface SlotLease {
  node: string;
  slots: number;
  until: number;
}

/** Most deliveries of a destination that people may retry at the same time. */
export const MOST_URGENT = 20;

/** An open delivery of a known destination. */
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

/** The stored form: only the members that hold something back; null where none does. */
export function storedFlow(flow: Flow): string | null {
  const held = Object.entries(flow).filter(([, value]) =>
    Array.isArray(value) ? value.length > 0 : value !== null,
  );
  return held.length === 0 ? null : JSON.stringify(Object.fromEntries(held));
}
