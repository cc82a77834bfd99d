import type { DestinationSettings } from '../settings/destination-settings.ts';
import type { Rate } from '../settings/rate-schema.ts';
import { type DeliveryRef, type Flow, isSame, type ProbeEnd } from './flow.ts';
import { AT_ONCE, type GrantedStart, type GrantTerms, grantable } from './rate.ts';

/** How many attempts at once `auto` concurrency allows at the start and at the end of a ramp. */
export const AUTO_START = 16;

/** The settings that decide how many deliveries of a destination may start. */
export type ControlSettings = Pick<DestinationSettings, 'state' | 'rate' | 'concurrency'>;

export interface Permits {
  /** How many deliveries may be claimed now. Those that have been due for longest go first. */
  most: number;
  /** The end of the queue from which to claim a probe. Null if no probe may be claimed. */
  probe: ProbeEnd | null;
  /** Deliveries that a person retries. They go first, even during a hold or an open breaker. */
  urgent: readonly DeliveryRef[];
  /** When to ask again. Null if the next settled attempt or change decides when. */
  again: number | null;
  /** The starts that the rate grants, in the order of the claims. Null if there is no rate. */
  grants: readonly GrantedStart[] | null;
}

const NONE: Permits = { most: 0, probe: null, urgent: [], again: null, grants: null };

/**
 * Returns whether nothing but the dispatcher's own limit holds the destination back. If so, a
 * commit may hand its new deliveries to the dispatcher directly, and nobody polls the table for
 * them.
 */
export function isDirect({ state, rate, concurrency }: ControlSettings, flow: Flow): boolean {
  const { breaker, ramp, heldUntil, urgent } = flow;
  const isHeld = breaker || ramp || heldUntil !== null || urgent.length > 0;
  return !isHeld && state === 'active' && rate === null && concurrency === 'auto';
}

export function rampTo({ concurrency }: Pick<ControlSettings, 'concurrency'>): number {
  return concurrency === 'auto' ? AUTO_START : concurrency;
}

/**
 * Returns how many deliveries of a destination may start now.
 *
 * @param live how many deliveries all nodes have claimed
 * @param terms the moments for which the rate may grant starts
 */
export function permits(
  { state, rate, concurrency }: ControlSettings,
  flow: Flow,
  live: number,
  now: number,
  terms: GrantTerms = AT_ONCE,
): Permits {
  if (state !== 'active') return NONE;
  const allowed = withoutRate(flow, concurrency, live, now);
  if (rate === null || (allowed.most === 0 && allowed.urgent.length === 0)) return allowed;
  const { grants, next } = grantable(rate, flow.starts, now, terms);
  const free = grants.length;
  return {
    ...allowed,
    most: Math.min(allowed.most, free),
    urgent: allowed.urgent.slice(0, free),
    probe: free > 0 ? allowed.probe : null,
    again: free > 0 ? allowed.again : next - terms.leadMs - terms.aheadMs / 2,
    grants,
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
    const again = [breaker.nextProbeAt, breaker.probing?.until ?? 0].find((at) => at > now);
    return { ...NONE, urgent, again: again ?? null };
  }
  if (heldUntil !== null && heldUntil > now) return { ...NONE, urgent, again: heldUntil };
  const limits = [ramp?.limit, concurrency === 'auto' ? undefined : concurrency];
  const limit = Math.min(...limits.filter((one) => one !== undefined));
  const most = Math.max(0, limit - live);
  return { ...NONE, urgent: urgent.slice(0, most), most };
}

/** The part of a claim that decides whether a later change of the destination ends the claim. */
export interface HeldClaim extends DeliveryRef {
  probe: ProbeEnd | null;
  start: GrantedStart | null;
  destination: {
    isControlled: boolean;
    concurrency: ControlSettings['concurrency'];
    slots: number | null;
  };
}

/**
 * Returns whether a claimed delivery must wait after all. This is so if something has begun to hold
 * its destination back since the claim, or if the claim was made under a limit that has changed.
 */
export function holdsBack(
  settings: ControlSettings,
  flow: Flow,
  claim: HeldClaim,
  now: number,
): boolean {
  const { urgent, breaker, heldUntil } = flow;
  if (settings.state !== 'active') return true;
  const { isControlled, concurrency, slots } = claim.destination;
  if (settings.concurrency !== concurrency) return true;
  if (settings.rate !== null && !isGrantedBy(settings.rate, claim.start)) return true;
  if (claim.probe !== null || urgent.some((one) => isSame(one, claim))) return false;
  if (breaker !== null || (heldUntil !== null && heldUntil > now)) return true;
  // This claim was made for a slot, before the ramp began.
  if (slots !== null && flow.ramp !== null) return true;
  return !isControlled && !isDirect(settings, flow);
}

function isGrantedBy({ limit, per }: Rate, start: GrantedStart | null): boolean {
  return start?.rate.limit === limit && start.rate.per === per;
}
