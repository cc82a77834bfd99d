import { type DeliveryRef, type Flow, type ProbeEnd, storedFlow } from '../../../core/flow/flow.ts';
import { withGrants } from '../../../core/flow/rate.ts';
import { slotsFor, slottedLimit, withSlots } from '../../../core/flow/slots.ts';
import type { ClaimedDelivery, ClaimedDestination, ClaimTerms } from '../../contract/claims.ts';
import { triggerOf } from '../../shared/codes.ts';
import { Columns } from '../../shared/columns.ts';
import {
  CLAIMED_DESTINATION_COLUMNS,
  type ClaimedDestinationRow,
  claimedDestination,
  controlOf,
} from '../../shared/destinations/claimed-destination.ts';
import type { SendLast, Sql } from '../connection/database.ts';
import { SAVE_FLOW } from './change-flows.ts';
import { holderOf, type LaneView, type PollTerms, viewsOf } from './controlled-lanes.ts';
import { FROM_MARK, LANE } from './lane-marks.ts';

/** Returns SQL that claims the locked rows of `picked`. */
const TAKE = (leaseUntil: string): string => `
  UPDATE open_deliveries v SET token = v.token + 1, lease_until = ${leaseUntil}, held = false
  FROM picked q JOIN events e ON e.endpoint_key = q.endpoint_key AND e.seq = q.event_seq
  WHERE v.destination_key = q.destination_key AND v.event_seq = q.event_seq AND v.round = q.round
  RETURNING v.id, v.token, v.event_seq AS "eventSeq", e.id AS "eventId",
    v.endpoint_key AS "endpointKey", v.round, v.trigger, v.attempts, v.probes, e.size,
    v.order_key AS "orderKey", v.job_key AS "jobKey", q.place,
    v.destination_key AS "destinationKey", v.next_attempt_at AS "dueAt"`;

/**
 * A lane from which up to `most` deliveries are claimed. Lanes are claimed in the order of `place`.
 */
const CLAIMED_LANE = LANE.and({ most: 'integer', place: 'bigint' });
/** Identifies a delivery within a known lane. */
export const OF_LANE = new Columns({ eventSeq: 'bigint', round: 'integer' });

/** Claims deliveries of lanes that are due at $1, at most $2 in total. */
export const CLAIM = `
  WITH picked AS MATERIALIZED (
    SELECT q.*, l.place FROM
      (SELECT key, most, since, place
       FROM ${CLAIMED_LANE.unnest('l', 4)} ORDER BY place) l
      CROSS JOIN LATERAL (
        SELECT event_seq, round, destination_key, endpoint_key, next_attempt_at
        FROM open_deliveries
        WHERE ${FROM_MARK} AND next_attempt_at <= $1 AND lease_until <= $1
        ORDER BY next_attempt_at LIMIT l.most FOR UPDATE SKIP LOCKED) q
    LIMIT $2
  )
  ${TAKE('$3')}`;

/**
 * Claims the named deliveries of the lane $1, even if they aren't due. If $4 is true, it also
 * claims held ones, because a retry by hand ignores the order.
 */
const CLAIM_NAMED = `
  WITH picked AS MATERIALIZED (
    SELECT event_seq, round, destination_key, endpoint_key, 1 AS place FROM open_deliveries
    WHERE destination_key = $1 AND (lease_until <= $2 OR (held AND $4))
      AND (${OF_LANE.names}) IN (SELECT * FROM ${OF_LANE.unnest('n', 5)})
    FOR UPDATE SKIP LOCKED
  )
  ${TAKE('$3')}`;

/** The time after an attempt's timeout within which its probe is recorded, ms. */
const PROBE_RECORDED_MS = 2000;
/** The number of deliveries at one end of a lane, by event, that a probe chooses from. */
const MOST_AT_END = 100;

/**
 * Selects the last two unclaimed deliveries at one end of a lane, ordered by event. Leaves out
 * deliveries that are behind others. If it finds none, it selects the last two by due time.
 */
export const ENDS: Record<ProbeEnd, string> = {
  oldest: endOf('ASC'),
  newest: endOf('DESC'),
};

function endOf(order: string): string {
  return `
    WITH first AS MATERIALIZED (
      SELECT * FROM (
        SELECT id, event_seq, round, behind, lease_until FROM open_deliveries
        WHERE destination_key = $1 ORDER BY event_seq ${order}, round ${order}
        LIMIT ${MOST_AT_END}) q
      WHERE NOT behind AND lease_until <= $2
      ORDER BY event_seq ${order}, round ${order} LIMIT 2
    )
    SELECT id, event_seq AS "eventSeq", round FROM first
    UNION ALL
    (SELECT id, event_seq, round FROM open_deliveries
     WHERE destination_key = $1 AND NOT behind AND lease_until <= $2
       AND NOT EXISTS (SELECT 1 FROM first)
     ORDER BY next_attempt_at ${order} LIMIT 2)`;
}

/** A due lane that a node may claim from. */
export interface DueLane {
  destination: ClaimedDestination;
  /** The due time of the oldest open delivery, Unix ms. */
  since: number;
}

interface ClaimRow
  extends Omit<ClaimedDelivery, 'trigger' | 'destination' | 'probe' | 'start' | 'byHand'> {
  trigger: number;
  place: number;
  destinationKey: number;
  dueAt: number;
}

/** Claims due deliveries of many lanes at once. In each lane, the longest due come first. */
export async function claimDueOf(
  sql: Sql,
  lanes: readonly DueLane[],
  terms: { now: number; ofEach: (key: number) => number; most: number; leaseUntil: number },
): Promise<ClaimedDelivery[]> {
  if (lanes.length === 0 || terms.most <= 0) return [];
  const from = lanes.map(({ destination: { key }, since }, i) => ({
    ...{ key, since, most: terms.ofEach(key), place: i + 1 },
  }));
  const rows = await sql.rows<ClaimRow>(
    CLAIM,
    [terms.now, terms.most, terms.leaseUntil, ...CLAIMED_LANE.arrays(from)],
    'claim',
  );
  return claimsOf(rows, lanes);
}

function claimsOf(rows: ClaimRow[], lanes: readonly DueLane[]): ClaimedDelivery[] {
  rows.sort((a, b) => a.place - b.place || a.dueAt - b.dueAt || a.eventSeq - b.eventSeq);
  return rows.map(({ place, destinationKey: _, dueAt: __, trigger, ...row }) => ({
    ...row,
    trigger: triggerOf(trigger),
    probe: null,
    start: null,
    byHand: false,
    destination: (lanes[place - 1] as DueLane).destination,
  }));
}

export interface ControlledPoll {
  node: string;
  now: number;
  /** At most this many deliveries are claimed. */
  most: number;
  terms: PollTerms & Pick<ClaimTerms, 'leaseUntil' | 'attemptTimeoutMs'>;
}

/**
 * Claims at most `most` deliveries that a controlled destination allows now, in the caller's
 * transaction. It locks the destination's row while it counts live claims and grants starts and
 * slots. So all nodes share one breaker, one probe, one ramp, one rate, and one number of slots.
 *
 * Returns `busy` if another transaction has that lock. `hasFreedSlots` is true if this node gave up
 * slots, which other nodes may then get.
 */
export async function claimControlled(
  { sql, sendLast }: { sql: Sql; sendLast: SendLast },
  { key, since }: { key: number; since: number },
  poll: ControlledPoll,
): Promise<{ claims: ClaimedDelivery[]; hasFreedSlots: boolean } | 'busy'> {
  const { now, terms } = poll;
  const { leaseUntil, attemptTimeoutMs } = terms;
  const [row] = await sql.rows<ClaimedDestinationRow>(
    `SELECT ${CLAIMED_DESTINATION_COLUMNS} FROM destinations d
     WHERE d.key = $1 FOR NO KEY UPDATE SKIP LOCKED`,
    [key],
    'lock control',
  );
  if (!row) return 'busy';
  const control = controlOf(row);
  const views = await viewsOf(sql, [{ key, since, control }], now, terms, true);
  const { permits, flow: cleaned, live } = views.get(key) as LaneView;
  let flow = cleaned;
  const holder = holderOf(poll.node, terms, key);
  const limit = holder && slottedLimit(control.settings, flow);
  const hasSlots = !holder || limit === null || slotsFor(limit, flow, holder, poll.most, now) > 0;
  const most = hasSlots ? poll.most : 0;
  const lane = { destination: claimedDestination(row), since };
  const named = async (refs: readonly DeliveryRef[], byHand: boolean) =>
    claimsOf(
      await sql.rows<ClaimRow>(
        CLAIM_NAMED,
        [key, now, leaseUntil, byHand, ...OF_LANE.arrays(refs)],
        'claim named',
      ),
      [lane],
    ).map((claim) => ({ ...claim, byHand }));
  const claimed: ClaimedDelivery[] = [];
  const urgent = permits.urgent.slice(0, most);
  if (urgent.length > 0) claimed.push(...(await named(urgent, true)));
  if (permits.probe && most > 0) {
    const [probe] = await named(await nextProbe(sql, key, permits.probe, flow, now), false);
    if (probe) {
      const { eventSeq, round } = probe;
      claimed.push({ ...probe, probe: permits.probe });
      const timeoutMs = control.settings.timeout ?? attemptTimeoutMs;
      const probing = {
        ...{ eventSeq, round },
        ...(timeoutMs !== undefined && { until: now + timeoutMs + PROBE_RECORDED_MS }),
      };
      flow = { ...flow, breaker: flow.breaker && { ...flow.breaker, probing } };
    }
  } else {
    const room = Math.min(most, permits.most) - claimed.length;
    claimed.push(
      ...(await claimDueOf(sql, [lane], { now, ofEach: () => room, most: room, leaseUntil })),
    );
  }
  const starts = claimed.map((_, i) => permits.grants?.[i] ?? null);
  const { rate } = control.settings;
  if (rate && claimed.length > 0) {
    const granted = starts.filter((start) => start !== null);
    flow = { ...flow, starts: withGrants(rate, flow.starts, granted, now) };
  }
  let slots: number | null = null;
  if (holder) {
    const claims = { claimed: claimed.length, live };
    ({ flow, slots } = withSlots(control.settings, flow, holder, claims, now));
  }
  if (storedFlow(flow) !== storedFlow(control.flow)) {
    sendLast(SAVE_FLOW, [storedFlow(flow), key], 'save flow');
  }
  const claims = claimed.map((claim, i) => ({
    ...claim,
    start: starts[i] ?? null,
    destination: { ...claim.destination, slots },
  }));
  const held = (leases: Flow['slots']) => leases.find(({ node }) => node === poll.node)?.slots ?? 0;
  return { claims, hasFreedSlots: held(flow.slots) < held(control.flow.slots) };
}

/**
 * Returns the delivery to probe with, at that end of the lane, or an empty array. If two deliveries
 * are there, it avoids the one that was probed last.
 */
async function nextProbe(
  sql: Sql,
  key: number,
  end: ProbeEnd,
  { breaker }: Flow,
  now: number,
): Promise<DeliveryRef[]> {
  const ends = await sql.rows<DeliveryRef & { id: string }>(ENDS[end], [key, now], `probe ${end}`);
  const row = ends.find(({ id }) => id !== breaker?.last?.deliveryId) ?? ends[0];
  return row ? [row] : [];
}
