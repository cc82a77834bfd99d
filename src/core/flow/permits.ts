import type { DestinationSettings } from '../settings/destination-settings.ts';
import type { Rate } from '../settings/rate-schema.ts';
import { type DeliveryRef, type Flow, isSame, type ProbeEnd } from './flow.ts';
import { AT_ONCE, type GrantedStart, type GrantTerms, grantable } from './rate.ts';

/**
 * With `auto` concurrency, a destination starts with this many attempts at once. Its ramp ends at
 * the same number.
 */
export const AUTO_START = 16;

/** The settings that decide how many deliveries of a destination may start. */
export type ControlSettings = Pick<DestinationSettings, 'state' | 'rate' | 'concurrency'>;

export interface Permits {
  /** The largest number of deliveries to claim now. The longest due go first. */
  most: number;
  /** The end of the queue to claim a probe from. Null if no probe may be claimed. */
  probe: ProbeEnd | null;
  /** Deliveries that a person retries. They go first, even during a hold or an open breaker. */
  urgent: readonly DeliveryRef[];
  /** When to ask again. Null if the next settled attempt or change decides when. */
  again: number | null;
  /** The starts that the rate grants, in the order of the claims. Null without a rate. */
  grants: readonly GrantedStart[] | null;
}

const NONE: Permits = { most: 0, probe: null, urgent: [], again: null, grants: null };

/**
 * Returns whether only the dispatcher's own limit holds the destination back. If so, a commit hands
 * new deliveries to the dispatcher directly, and nobody polls the table for them.
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
 * @param live the number of claimed deliveries on all nodes
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

/** What decides about a claim when its destination has changed. */
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
 * Returns whether a claimed delivery must wait after all. Reasons are a new hold on the destination
 * or a changed limit.
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
  // The claim took a slot before the ramp began.
  if (slots !== null && flow.ramp !== null) return true;
  return !isControlled && !isDirect(settings, flow);
}

function isGrantedBy({ limit, per }: Rate, start: GrantedStart | null): boolean {
  return start?.rate.limit === limit && start.rate.per === per;
}
