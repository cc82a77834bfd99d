import type { BreakerTerms } from './breaker-terms.ts';
import {
  type EventRun,
  type Flow,
  isSame,
  type OpenBreaker,
  type ProbeEnd,
  RAMP_START,
  type Ramp,
} from './flow.ts';
import { REFUSED_EVENTS } from './health.ts';

/** The smallest number of different failed events that opens a breaker. */
const LEAST_EVENTS = 3;
/** The longest time between two probes, ms. A `Retry-After` may ask for more. */
const MOST_PROBE_MS = 5 * 60_000;

/** What an attempt shows about its destination. `not_sent`: the request never left hookrelay. */
export type Reach = 'answered' | 'failed' | 'not_sent';

export interface AttemptSign {
  reach: Reach;
  /** False if the delivery failed, for any reason. */
  succeeded: boolean;
  /** True if a person edited the event. Its failure says nothing about what senders' events meet. */
  isEdited: boolean;
  deliveryId: string;
  eventSeq: number;
  round: number;
  /** The end of the queue that a probe came from. Null for an ordinary attempt. */
  probe: ProbeEnd | null;
  startedAt: number;
  endedAt: number;
  /**
   * The wait that a 429 or 503 asks for, ms, limited by the retry policy. Null if it asks for none.
   */
  holdMs: number | null;
}

/**
 * Returns the flow of a destination after one more attempt.
 *
 * @param terms null if the destination's breaker is off
 * @param rampTo the number of attempts at once that ends the ramp
 */
export function afterAttempt(
  flow: Flow,
  sign: AttemptSign,
  terms: BreakerTerms | null,
  rampTo: number,
): Flow {
  const { endedAt } = sign;
  const after = {
    ...flow,
    urgent: flow.urgent.filter((one) => !isSame(one, sign)),
    lost: flow.breaker || flow.ramp ? flow.lost.filter((one) => !isSame(one, sign)) : [],
    heldUntil: flow.heldUntil !== null && flow.heldUntil > endedAt ? flow.heldUntil : null,
  };
  if (sign.reach === 'answered') {
    return { ...afterAnswer(after, rampTo), refusing: refusingAfter(flow.refusing, sign) };
  }
  const breaker = afterProbe(after.breaker, sign, terms);
  if (sign.reach === 'not_sent') return { ...after, breaker };
  const refusing = refusingAfter(flow.refusing, sign);
  return afterFailure({ ...after, breaker, refusing }, sign, terms);
}

function refusingAfter(run: EventRun | null, sign: AttemptSign): EventRun | null {
  if (sign.succeeded) return null;
  if (sign.isEdited) return run;
  return sign.reach === 'answered' ? withAttempt(run, sign, REFUSED_EVENTS) : null;
}

/** Returns a run with one more attempt. It names the first `most` events. */
function withAttempt(
  run: EventRun | null,
  { startedAt, eventSeq }: AttemptSign,
  most: number,
): EventRun {
  const { since, count, events } = run ?? { since: startedAt, count: 0, events: [] };
  const isNew = events.length < most && !events.includes(eventSeq);
  return { since, count: count + 1, events: isNew ? [...events, eventSeq] : events };
}

function afterAnswer(flow: Flow, rampTo: number): Flow {
  const ramp = flow.breaker ? RAMP_START : flow.ramp && rampAfterAnswer(flow.ramp, rampTo);
  return { ...flow, failing: null, breaker: null, ramp };
}

function rampAfterAnswer({ limit, left }: Ramp, rampTo: number): Ramp | null {
  if (left > 1) return { limit, left: left - 1 };
  const next = limit * 2;
  return next < rampTo ? { limit: next, left: next } : null;
}

function afterFailure(flow: Flow, sign: AttemptSign, terms: BreakerTerms | null): Flow {
  const { endedAt, holdMs } = sign;
  const failing = withAttempt(flow.failing, sign, LEAST_EVENTS);
  if (flow.breaker) return { ...flow, failing };
  const opens =
    terms !== null &&
    failing.count >= terms.failures &&
    endedAt - failing.since >= terms.afterMs &&
    failing.events.length >= LEAST_EVENTS;
  if (opens) {
    const nextProbeAt = endedAt + (holdMs ?? terms.probeMs);
    const breaker = { since: endedAt, nextProbeAt, failedProbes: 0, last: null };
    return { ...flow, failing, breaker, ramp: null, heldUntil: null };
  }
  return {
    ...flow,
    failing,
    ramp: flow.ramp && rampAfterFailure(flow.ramp),
    heldUntil: holdMs === null ? flow.heldUntil : Math.max(flow.heldUntil ?? 0, endedAt + holdMs),
  };
}

function rampAfterFailure({ limit }: Ramp): Ramp {
  const next = Math.max(1, Math.floor(limit / 2));
  return { limit: next, left: next };
}

function afterProbe(
  breaker: OpenBreaker | null,
  { probe, reach, deliveryId, endedAt, holdMs }: AttemptSign,
  terms: BreakerTerms | null,
): OpenBreaker | null {
  if (!breaker || probe === null) return breaker;
  // A probe that couldn't be sent says nothing about the destination.
  const failedProbes = breaker.failedProbes + (reach === 'failed' ? 1 : 0);
  const waitMs = Math.min(MOST_PROBE_MS, (terms?.probeMs ?? 0) * 2 ** failedProbes);
  return {
    ...breaker,
    failedProbes,
    nextProbeAt: endedAt + (holdMs ?? waitMs),
    last: { end: probe, deliveryId },
  };
}
