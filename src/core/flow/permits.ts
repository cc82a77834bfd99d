import type { DestinationSettings } from '../settings/destination-settings.ts';
import type { Rate } from '../settings/rate-schema.ts';
import { type DeliveryRef, type Flow, isSame, type ProbeEnd } from './flow.ts';
import { AT_ONCE, type GrantedStart, type GrantTerms, grantable } from './rate.ts';

/** Attempts at once with which a destination with `auto` concurrency starts, and at which its ramp ends. */
export const AUTO_START = 16;

/** What decides how many deliveries of a destination may start. */
export type ControlSettings = Pick<DestinationSettings, 'state' | 'rate' | 'concurrency'>;

export interface Permits {
  /** Deliveries that may be claimed now, the longest due first. */
  most: number;
  /** Which delivery to claim instead, as a probe. */
  probe: ProbeEnd | null;
  /** Deliveries that a person retries. They are claimed first, past breaker and hold. */
  urgent: readonly DeliveryRef[];
  /** When to look again; null where a settled attempt or a change decides. */
  again: number | null;
  /** The starts that the rate can grant to the claims, in their order; null without a rate. */
  grants: readonly GrantedStart[] | null;
}

const NONE: Permits = { most: 0, probe: null, urgent: [], again: null, grants: null };

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
  return concurrency === 'auto' ? AUTO_START : concurrency;
}

/**
 * How many deliveries of a destination may start now.
 *
 * @param live deliveries that are claimed, over all nodes
 * @param terms for which moments the rate is asked
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

/** A claim, as far as later changes may end it. */
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
 * Whether a claimed delivery must wait after all: what holds its destination began after
 * the claim, or a changed limit must decide first.
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
  // Claimed ahead of its slot, it knows nothing of the ramp.
  if (slots !== null && flow.ramp !== null) return true;
  return !isControlled && !isDirect(settings, flow);
}

function isGrantedBy({ limit, per }: Rate, start: GrantedStart | null): boolean {
  return start?.rate.limit === limit && start.rate.per === per;
}
