import type { DestinationSettings } from '../settings/destination-settings.ts';
import type { DeliveryRef, Flow, ProbeEnd } from './flow.ts';
import { mostLateMs, rateUse } from './rate.ts';

/** Attempts at once at which a ramp to a destination with `auto` concurrency ends. */
const RAMP_TO_AUTO = 16;

/** What decides how many deliveries of a destination may start. */
export type ControlSettings = Pick<DestinationSettings, 'state' | 'rate' | 'concurrency'>;

export interface Permits {
  /** Deliveries that may be claimed now, the longest due first. */
  most: number;
  /** Which delivery to claim instead, as a probe. */
  probe: ProbeEnd | null;
  /** Deliveries to claim before all others, whatever else holds. They count in `most` too. */
  urgent: readonly DeliveryRef[];
  /** When to look again; null where a settled attempt or a change decides. */
  again: number | null;
  /** How late a claimed delivery may start, ms; null for any time. */
  mostLateMs: number | null;
}

const NONE: Permits = { most: 0, probe: null, urgent: [], again: null, mostLateMs: null };

/**
 * Whether nothing but the lane's own limit holds the destination: its new deliveries
 * need no look at the table.
 */
export function isDirect({ state, rate, concurrency }: ControlSettings, flow: Flow): boolean {
  const { breaker, ramp, heldUntil, urgent } = flow;
  const isHeld = breaker || ramp || heldUntil !== null || urgent.length > 0;
  return !isHeld && state === 'active' && rate === null && concurrency === 'auto';
}

export function rampTo({ concurrency }: Pick<ControlSettings, 'concurrency'>): number {
  return concurrency === 'auto' ? RAMP_TO_AUTO : concurrency;
}

/**
 * How many deliveries of a destination may start now.
 *
 * @param live deliveries that are claimed, over all nodes
 */
export function permits(
  { state, rate, concurrency }: ControlSettings,
  flow: Flow,
  live: number,
  now: number,
): Permits {
  if (state !== 'active') return NONE;
  const allowed = withoutRate(flow, concurrency, live, now);
  if (rate === null || (allowed.most === 0 && allowed.urgent.length === 0)) return allowed;
  const { free, freeAt } = rateUse(rate, flow.starts, now);
  return {
    ...allowed,
    most: Math.min(allowed.most, free),
    urgent: allowed.urgent.slice(0, free),
    probe: free > 0 ? allowed.probe : null,
    again: freeAt ?? allowed.again,
    mostLateMs: mostLateMs(rate),
  };
}

function withoutRate(
  { urgent, breaker, heldUntil, ramp }: Flow,
  concurrency: ControlSettings['concurrency'],
  live: number,
  now: number,
): Permits {
  if (breaker) {
    const isDue = breaker.nextProbeAt <= now && live === 0 && urgent.length === 0;
    if (isDue)
      return { ...NONE, most: 1, probe: breaker.last?.end === 'oldest' ? 'newest' : 'oldest' };
    return { ...NONE, urgent, again: breaker.nextProbeAt > now ? breaker.nextProbeAt : null };
  }
  if (heldUntil !== null && heldUntil > now) return { ...NONE, urgent, again: heldUntil };
  const limits = [ramp?.limit, concurrency === 'auto' ? undefined : concurrency];
  const limit = Math.min(...limits.filter((one) => one !== undefined));
  const most = Math.max(0, limit - live);
  return { ...NONE, urgent: urgent.slice(0, most), most };
}

/** Whether a claimed delivery must wait after all: what holds its destination began after the claim. */
export function holdsBack(
  { state }: Pick<ControlSettings, 'state'>,
  { urgent, breaker, heldUntil }: Flow,
  claim: DeliveryRef & { probe: ProbeEnd | null },
  now: number,
): boolean {
  if (state !== 'active') return true;
  if (claim.probe !== null || urgent.some((one) => isSame(one, claim))) return false;
  return breaker !== null || (heldUntil !== null && heldUntil > now);
}

function isSame(one: DeliveryRef, other: DeliveryRef): boolean {
  return one.eventSeq === other.eventSeq && one.round === other.round;
}
