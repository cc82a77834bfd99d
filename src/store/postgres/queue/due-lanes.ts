import { AUTO_START, isDirect } from '../../../core/flow/permits.ts';
import { hasManySlots } from '../../../core/flow/slot-class.ts';
import type { ClaimedDelivery, ClaimTerms, DueTerms } from '../../contract/claims.ts';
import {
  CLAIMED_DESTINATION_COLUMNS,
  type ClaimedDestinationRow,
  claimedDestination,
  controlOf,
} from '../../shared/destinations/claimed-destination.ts';
import type { Sql } from '../connection/database.ts';
import { allowed as allowedBy, type PollTerms } from './controlled-lanes.ts';
import { claimDueOf, type DueLane } from './due-deliveries.ts';
import { FROM_MARK, LANE } from './lane-marks.ts';

/**
 * Selects the known lanes whose oldest open delivery is due at $1, the longest due first. Includes
 * lanes without open deliveries. Includes lanes with a flow, because a probe or a retry by hand may
 * start before its delivery is due. `key` is null if the destination or its endpoint was deleted.
 */
export const LANES = `
  SELECT l.key AS lane, n.next_attempt_at AS "dueAt", c.*
  FROM ${LANE.unnest('l', 2)}
  LEFT JOIN LATERAL (
    SELECT next_attempt_at FROM open_deliveries
    WHERE ${FROM_MARK} ORDER BY next_attempt_at LIMIT 1) n ON true
  LEFT JOIN LATERAL (
    SELECT ${CLAIMED_DESTINATION_COLUMNS}
    FROM destinations d JOIN endpoints p ON p.key = d.endpoint_key
    WHERE d.key = l.key AND p.deleted_at IS NULL) c ON true
  WHERE n.next_attempt_at IS NULL OR n.next_attempt_at <= $1 OR c.flow IS NOT NULL
  ORDER BY n.next_attempt_at`;

/** A lane that is due, has a flow, or has no open delivery (`dueAt` is null). */
export interface DueLaneRow extends Omit<ClaimedDestinationRow, 'key'> {
  lane: number;
  dueAt: number | null;
  /** Null if the destination or its endpoint was deleted. */
  key: number | null;
}

/** A due lane that `claimControlled` claims from. */
export interface ControlledDue extends DueLane {
  /** The largest number of deliveries that the destination may allow. Live claims reduce it. */
  most: number;
}

/** The lanes of a poll, by the way to claim from them, the longest due first. */
export interface SortedLanes {
  direct: DueLane[];
  controlled: ControlledDue[];
  /** For `LaneMarks.follow`. */
  oldest: Map<number, number | null>;
}

export function sorted(
  rows: readonly DueLaneRow[],
  now: number,
  terms: PollTerms & Pick<ClaimTerms, 'startable'>,
): SortedLanes {
  const lanes: SortedLanes = { direct: [], controlled: [], oldest: new Map() };
  for (const { lane, dueAt, key, ...row } of rows) {
    lanes.oldest.set(lane, dueAt);
    if (dueAt === null || key === null) continue;
    const control = controlOf(row);
    const { settings, flow } = control;
    const due = { destination: claimedDestination({ ...row, key }), since: dueAt };
    if (settings.state !== 'active') {
      lanes.oldest.set(lane, null);
    } else if (isDirect(settings, flow)) {
      if (dueAt <= now) lanes.direct.push(due);
    } else {
      const { most, probe, urgent } = allowedBy(control, flow, 0, now, terms);
      const free = terms.startable?.get(lane) ?? AUTO_START;
      // A rate's granted start is lost if the node has no free slot for it. So claim no more than
      // there are free slots.
      const room = settings.rate === null ? Number.POSITIVE_INFINITY : free;
      const wanted = Math.max(dueAt <= now || probe ? most : 0, urgent.length);
      const allowed = Math.min(wanted, room);
      if (allowed > 0) lanes.controlled.push({ ...due, most: allowed });
    }
  }
  return lanes;
}

/** Claims from direct lanes. */
export async function claimDirect(
  sql: Sql,
  lanes: readonly DueLane[],
  now: number,
  terms: DueTerms,
): Promise<ClaimedDelivery[]> {
  const { limit, oneSlotLimit, leaseUntil } = terms;
  const depthOf = (key: number) => terms.depths?.get(key) ?? terms.perDestination;
  const claim = (from: readonly DueLane[], most: number, ofEach = depthOf) =>
    claimDueOf(sql, from, { now, ofEach, most, leaseUntil });
  const one = () => 1;
  const open = lanes.filter(({ destination }) => !terms.skip.has(destination.key));
  if (oneSlotLimit === undefined) return claim(open, limit);
  const oneSlot = open.filter(({ destination }) => !hasManySlots(destination.slotClass));
  const manySlots = open.filter(({ destination }) => hasManySlots(destination.slotClass));
  // Lanes with one slot and lanes with many get half of the limit each, before either gets more.
  const first = await claim(oneSlot, Math.min(oneSlotLimit, Math.ceil(limit / 2)), one);
  const second = await claim(manySlots, limit - first.length);
  const left = limit - first.length - second.length;
  const taken = new Set(first.map(({ destination }) => destination.key));
  const others = oneSlot.filter(({ destination }) => !taken.has(destination.key));
  const third = await claim(others, Math.min(oneSlotLimit - first.length, left), one);
  return [...first, ...second, ...third];
}

/**
 * Returns the terms for direct lanes. Up to half of each limit is reserved for controlled lanes.
 */
export function beside(controlled: readonly ControlledDue[], terms: DueTerms): DueTerms {
  const { limit, oneSlotLimit } = terms;
  let wanted = 0;
  let withOneSlot = 0;
  for (const lane of controlled) {
    wanted += Math.min(lane.most, roomFor(lane, [], terms));
    if (!hasManySlots(lane.destination.slotClass)) withOneSlot++;
  }
  const share = (of: number, wants: number) => of - Math.min(wants, Math.ceil(of / 2));
  return {
    ...terms,
    limit: share(limit, wanted),
    ...(oneSlotLimit !== undefined && { oneSlotLimit: share(oneSlotLimit, withOneSlot) }),
  };
}

/** Returns whether a limit may have left out due deliveries. */
export function isCut(
  claimed: readonly ClaimedDelivery[],
  { limit, oneSlotLimit }: DueTerms,
): boolean {
  if (claimed.length >= limit) return true;
  return oneSlotLimit !== undefined && oneSlotOf(claimed) >= oneSlotLimit;
}

/** Returns the number of further deliveries that the terms allow from a controlled lane. */
export function roomFor(
  { destination: { key, slotClass } }: DueLane,
  claimed: readonly ClaimedDelivery[],
  { limit, oneSlotLimit, depths, perDestination }: DueTerms,
): number {
  const left = limit - claimed.length;
  if (oneSlotLimit === undefined || hasManySlots(slotClass)) {
    return Math.min(left, depths?.get(key) ?? perDestination);
  }
  return Math.min(left, 1, oneSlotLimit - oneSlotOf(claimed));
}

/** Returns the terms for direct lanes that remain after these claims. */
export function remaining(claimed: readonly ClaimedDelivery[], terms: DueTerms): DueTerms {
  const { limit, oneSlotLimit, perDestination } = terms;
  const depths = new Map(terms.depths);
  const skip = new Set(terms.skip);
  for (const { destination } of claimed) {
    const { key, slotClass } = destination;
    depths.set(key, (depths.get(key) ?? perDestination) - 1);
    if (oneSlotLimit !== undefined && !hasManySlots(slotClass)) skip.add(key);
  }
  return {
    ...terms,
    ...{ depths, skip, limit: limit - claimed.length },
    ...(oneSlotLimit !== undefined && { oneSlotLimit: oneSlotLimit - oneSlotOf(claimed) }),
  };
}

function oneSlotOf(claimed: readonly ClaimedDelivery[]): number {
  return claimed.filter(({ destination }) => !hasManySlots(destination.slotClass)).length;
}
