/**
 * Everything that holds a destination back, except its settings. The destination's row stores it as
 * JSON, or as null if nothing holds the destination back. The store changes it in the transaction
 * that records attempts or claims deliveries, so all nodes obey one breaker, one probe, one ramp
 * and one rate.
 *
 *     healthy ── an attempt fails ──▶ failing ── long enough, often enough ──▶ open
 *        ▲                              │                                      │  ▲
 *        ├──── the receiver answers ────┘                       a probe is due │  │ it fails:
 *        │                                                                     ▼  │ wait twice as long
 *        └── ramp: 1, 2, 4 … at once ◀── the receiver answers ─────────── one probe under way
 *
 * A failure counts when the destination is at fault: no connection, no name, TLS, a timeout, a 5xx
 * or a 429. Any other answer sets the count back to zero. While the breaker is open, deliveries
 * wait and spend no attempts. A ramp begins when the breaker closes or a pause ends: it allows one
 * attempt at once, and twice as many after each round of answers.
 *
 * Times are Unix milliseconds.
 */
export interface Flow {
  /** The failures since the last answer. Null if there are none. */
  failing: FailureRun | null;
  breaker: OpenBreaker | null;
  ramp: Ramp | null;
  /** A 429 or 503 asked to wait until this time. */
  heldUntil: number | null;
  /** Granted starts that count towards the rate's limit. */
  starts: readonly RateSlot[];
  /** Deliveries that a person retries now. Neither the breaker nor the backoff delays them. */
  urgent: readonly DeliveryRef[];
  /** Earlier probes whose nodes died. Their claims don't count, although their leases still run. */
  lost: readonly DeliveryRef[];
  /** The nodes' shares of a fixed concurrency. Empty if there is only one node. */
  slots: readonly SlotLease[];
  /** True if attempts that began before the concurrency was fixed may run without slots. */
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
  /**
   * The last probe: its delivery, and the end of the queue from which it was taken. Null before the
   * first probe.
   */
  last: { end: ProbeEnd; deliveryId: string } | null;
  /**
   * The delivery that was last claimed as a probe. Only a store that keeps claims in its tables
   * writes this. If no result comes by `until`, the probe is lost, because its node has died.
   */
  probing?: DeliveryRef & { until?: number };
}

/** Probes alternate between the oldest and the newest waiting delivery. */
export type ProbeEnd = 'oldest' | 'newest';

export interface Ramp {
  /** How many attempts may be under way at once. */
  limit: number;
  /** How many more answers it takes until the limit doubles. */
  left: number;
}

/** `count` starts were granted for moments from `first` to `last`. */
export type RateSlot = readonly [first: number, last: number, count: number];

/**
 * A node's share of a fixed concurrency: how many attempts the node may have under way at once. A
 * node with 0 slots waits until others give some back.
 */
export interface SlotLease {
  node: string;
  slots: number;
  until: number;
}

/** How many deliveries of a destination people may retry at the same time. */
export const MOST_URGENT = 20;

/** Identifies an open delivery of a destination that the context names. */
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

/** Returns the flow as JSON, only with members that hold something back. Null if none does. */
export function storedFlow(flow: Flow): string | null {
  const held = Object.entries(flow).filter(([, value]) =>
    Array.isArray(value) ? value.length > 0 : value !== null,
  );
  return held.length === 0 ? null : JSON.stringify(Object.fromEntries(held));
}
