import type { Flow, SlotLease } from './flow.ts';
import type { ControlSettings } from './permits.ts';

/**
 * The nodes share a fixed concurrency: each node leases some of the slots. When an attempt ends,
 * its node reuses the slot without asking the store. So a distant database costs no time. A node
 * gives its slots back when it has nothing left to send. If the node dies, its leases expire.
 */

/** A node's slots and claims at a destination when the node polls. */
export interface SlotHolder {
  node: string;
  /** The largest number of attempts that the node may run until the store answers. */
  slots: number;
  /** The node's claims, waiting or under way. */
  claims: number;
  /** The end of a lease that begins now. */
  until: number;
}

/** The smallest prolongation of a lease, ms. Each prolongation writes the destination's row. */
const PROLONG_MS = 20_000;

/**
 * Returns the concurrency that the nodes share as slots. Null if `auto`, a ramp or a probe decides.
 */
export function slottedLimit(
  { concurrency }: Pick<ControlSettings, 'concurrency'>,
  { breaker, ramp, crowded }: Flow,
): number | null {
  return concurrency === 'auto' || breaker || ramp || crowded ? null : concurrency;
}

/** Returns how many slots a node would have after `claimed` more claims. */
export function slotsFor(
  limit: number,
  { slots: leases }: Flow,
  holder: SlotHolder,
  claimed: number,
  now: number,
): number {
  const others = othersOf(leases, holder.node, now);
  const free = Math.max(0, limit - sumOf(others));
  const share = Math.max(1, Math.floor(limit / (others.length + 1)));
  const isShared = others.some(({ slots }) => slots === 0);
  const wanted = Math.max(holder.claims + claimed, holder.slots);
  return Math.min(wanted, free, isShared ? share : free);
}

/**
 * Returns the flow after a node claimed deliveries, and the node's new number of slots. `slots` is
 * null if claims are counted instead of slots.
 *
 * If another node waits for slots, this node reuses only its share. The remaining slots are free
 * when their attempts end.
 *
 * @param live the claims of all nodes before this claim, if the store has counted them
 */
export function withSlots(
  settings: Pick<ControlSettings, 'concurrency'>,
  flow: Flow,
  holder: SlotHolder,
  claims: { claimed: number; live: number },
  now: number,
): { flow: Flow; slots: number | null } {
  const { concurrency } = settings;
  if (concurrency === 'auto') return { flow, slots: null };
  const { node, until } = holder;
  const own = flow.slots.find((one) => one.node === node);
  const others = othersOf(flow.slots, node, now);
  const { claimed, live } = claims;
  const leased = (slots: number): Flow => {
    const isKept = own?.slots === slots && until - own.until < PROLONG_MS;
    if (isKept && others.length === flow.slots.length - 1) return flow;
    return { ...flow, slots: [...others, { node, slots, until: isKept ? own.until : until }] };
  };
  const limit = slottedLimit(settings, flow);
  if (limit === null) {
    // Claims are counted until the ramp or the probe ends. The lease is for the time after that.
    const taken = Math.min(concurrency, Math.max(holder.claims + claimed, holder.slots));
    const isOver = live <= holder.claims + sumOf(others);
    const crowded = isOver ? null : flow.crowded;
    return { flow: { ...(taken > 0 ? leased(taken) : flow), crowded }, slots: null };
  }
  const slots = slotsFor(limit, flow, holder, claimed, now);
  const isWaiting = slotsFor(limit, flow, holder, 1, now) === 0;
  if (slots === 0 && !isWaiting) return { flow: own ? { ...flow, slots: others } : flow, slots };
  return { flow: leased(Math.max(slots, Math.min(own?.slots ?? 0, holder.slots))), slots };
}

/**
 * Returns when the first slots of other nodes expire, if this node has none until then. Otherwise
 * null.
 */
export function slotsAgain(
  { slots: leases }: Flow,
  limit: number,
  holder: SlotHolder,
  now: number,
): number | null {
  const others = othersOf(leases, holder.node, now).filter(({ slots }) => slots > 0);
  if (holder.slots > 0 || sumOf(others) < limit) return null;
  return Math.min(...others.map(({ until }) => until));
}

/** Returns the leases after a node gave its slots back. Running attempts still use `kept` slots. */
export function withoutSlots(
  leases: readonly SlotLease[],
  node: string,
  kept: number,
): readonly SlotLease[] {
  return leases.flatMap((one) => {
    if (one.node !== node) return one;
    return kept === 0 ? [] : { ...one, slots: Math.min(kept, one.slots) };
  });
}

function othersOf(leases: readonly SlotLease[], node: string, now: number): SlotLease[] {
  return leases.filter((one) => one.node !== node && one.until > now);
}

function sumOf(leases: readonly SlotLease[]): number {
  return leases.reduce((sum, { slots }) => sum + slots, 0);
}
