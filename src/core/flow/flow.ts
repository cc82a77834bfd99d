/**
 * Everything that holds a destination back, except its settings. The destination's row stores it as
 * JSON. The store changes it in the transaction that records attempts or claims deliveries. So all
 * nodes obey one breaker, one probe, one ramp and one rate.
 *
 * PLACE
 *
 * A failure counts when the destination is at fault: no connection, no name, TLS, a timeout, a 5xx
 * or a 429. Any other answer resets the count. If it isn't a success either, it is a refusal. While the breaker is open, deliveries wait and use
 * up no attempts. A ramp begins when the breaker closes or a pause ends. It allows one attempt at
 * once, and doubles the number after each round of answers.
 *
 * Times are Unix milliseconds.
 */
export interface Flow {
  /** The failures since the last answer. Null if there are none. */
  failing: EventRun | null;
  /**
   * The refusals since the last success or failure. Null if there are none. They hold nothing back.
   */
  refusing: EventRun | null;
  breaker: OpenBreaker | null;
  ramp: Ramp | null;
  /** The end of the wait that a 429 or 503 asked for. */
  heldUntil: number | null;
  /** The granted starts that count towards the rate's limit. */
  starts: readonly RateSlot[];
  /** Deliveries that a person retries now. The breaker and the backoff don't delay them. */
  urgent: readonly DeliveryRef[];
  /** Probes whose nodes died. Their claims are ignored, even before the leases expire. */
  lost: readonly DeliveryRef[];
  /** The nodes' shares of a fixed concurrency. Empty if there is only one node. */
  slots: readonly SlotLease[];
  /** True if attempts that began before the concurrency was fixed may run without slots. */
  crowded: true | null;
}

/** Attempts in a row that didn't succeed. */
export interface EventRun {
  /** The start of the first of these attempts. */
  since: number;
  count: number;
  /** The first few different events of these attempts. */
  events: readonly number[];
}

export interface OpenBreaker {
  since: number;
  nextProbeAt: number;
  failedProbes: number;
  /** The last finished probe. Null before the first probe. */
  last: { end: ProbeEnd; deliveryId: string } | null;
  /**
   * The delivery that was last claimed as a probe. Only a store that keeps claims in its tables
   * writes it. If no result comes by `until`, the probe's node has died and the probe is lost.
   */
  probing?: DeliveryRef & { until?: number };
}

/** Probes alternate between the oldest and the newest waiting delivery. */
export type ProbeEnd = 'oldest' | 'newest';

export interface Ramp {
  /** The largest number of attempts at once. */
  limit: number;
  /** The number of further answers that doubles the limit. */
  left: number;
}

/** `count` starts, granted for moments from `first` to `last`. */
export type RateSlot = readonly [first: number, last: number, count: number];

/**
 * A node's share of a fixed concurrency. A node with 0 slots waits until another node gives some
 * back.
 */
export interface SlotLease {
  node: string;
  slots: number;
  until: number;
}

/** The largest number of deliveries of a destination that people may retry at the same time. */
export const MOST_URGENT = 20;

/** Identifies an open delivery within its destination. */
export interface DeliveryRef {
  eventSeq: number;
  round: number;
}

export function isSame(one: DeliveryRef, other: DeliveryRef): boolean {
  return one.eventSeq === other.eventSeq && one.round === other.round;
}

export const NO_FLOW: Flow = {
  failing: null,
  refusing: null,
  breaker: null,
  ramp: null,
  heldUntil: null,
  starts: [],
  urgent: [],
  lost: [],
  slots: [],
  crowded: null,
};

export const RAMP_START: Ramp = { limit: 1, left: 1 };

export function readFlow(stored: string | null): Flow {
  return stored === null ? NO_FLOW : { ...NO_FLOW, ...(JSON.parse(stored) as Partial<Flow>) };
}

/** Returns the flow as JSON, without its empty members. Null if all members are empty. */
export function storedFlow(flow: Flow): string | null {
  const held = Object.entries(flow).filter(([, value]) =>
    Array.isArray(value) ? value.length > 0 : value !== null,
  );
  return held.length === 0 ? null : JSON.stringify(Object.fromEntries(held));
}
