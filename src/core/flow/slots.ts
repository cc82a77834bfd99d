import type { Flow, SlotLease } from './flow.ts';
import type { ControlSettings } from './permits.ts';

/*
 * Slots. The nodes share a fixed concurrency: each holds some of its slots, and no two hold
 * the same one. A node fills its slots again and again without asking, so the distance of
 * the database doesn't matter. It gives them back when it has nothing left to send. If it
 * dies, they end with the lease, as its claims do.
 */

/** What a node holds of a destination as it looks for deliveries, and how long a lease is. */
export interface SlotHolder {
  node: string;
  /** Attempts that it may have under way up to the answer. */
  slots: number;
  /** Claims that wait or are under way. */
  claims: number;
  until: number;
}

/** Shortest time by which a lease is prolonged, ms: each time writes the destination's row. */
const PROLONG_MS = 20_000;

/** The concurrency, where slots share it out; null where `auto`, a ramp or a probe decides. */
export function slottedLimit(
  { concurrency }: Pick<ControlSettings, 'concurrency'>,
  { breaker, ramp, crowded }: Flow,
): number | null {
  return concurrency === 'auto' || breaker || ramp || crowded ? null : concurrency;
}

/** The slots that a node would have with so many more claims. */
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
 * The flow of a destination with a fixed concurrency after a node claimed deliveries, and
 * how many slots the node has from now on: null where each claim is one. Where another node
 * waits for slots, the one with more than its share uses its share, and keeps those that
 * attempts still take.
 *
 * @param live live claims of all nodes before, as far as they were counted
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
    // Claims are counted. The slots that they take are noted for the time after it.
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

/** When the first slots of others end, for a node that can have none until then; null otherwise. */
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

/** The leases after a node gave all slots back but `kept`, whose attempts are under way. */
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
