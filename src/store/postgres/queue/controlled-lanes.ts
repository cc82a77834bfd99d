import { type DeliveryRef, type Flow, isSame } from '../../../core/flow/flow.ts';
import { type Permits, permits } from '../../../core/flow/permits.ts';
import { type SlotHolder, slottedLimit } from '../../../core/flow/slots.ts';
import type { ClaimTerms } from '../../contract/claims.ts';
import { DELIVERY_KEY } from '../../shared/deliveries/delivery-columns.ts';
import type { Control } from '../../shared/destinations/claimed-destination.ts';
import type { Sql } from '../connection/database.ts';
import { FROM_MARK, LANE } from './lane-marks.ts';

/**
 * The number of rows at the head of a lane that are searched for live claims. Claims take the
 * longest due deliveries first, and a limit is at most 256. So claimed rows are at the head, and
 * only rows of late commits come before them. The flow names the other claimed rows: probes and
 * retries by hand. After a limit is introduced, more claims may be live, but 512 exceed every
 * limit.
 */
const MOST_WALKED = 512;

export interface ControlledLane {
  key: number;
  /** No open delivery of the lane is due before this time (see `LANE`). */
  since: number;
  control: Control;
}

/** What a destination with a limit, a rate or a breaker allows now. */
export interface LaneView {
  permits: Permits;
  /** The flow, without retries by hand that have ended and without lost probes that aren't live. */
  flow: Flow;
  /** The number of live claims. It may be too low if no limit depends on it. */
  live: number;
  /**
   * The due time of the next unclaimed delivery, Unix ms. Null if nothing is due or may be claimed.
   */
  nextAt: number | null;
}

/** The terms that decide how many deliveries may be claimed. */
export type PollTerms = Pick<ClaimTerms, 'grants' | 'slots'>;

interface RefRow extends DeliveryRef {
  key: number;
  live: boolean;
}

interface StateRow {
  key: number;
  live: number;
  nextAt: number | null;
}

const REFS = `
  SELECT destination_key AS key, event_seq AS "eventSeq", round,
    lease_until > $1 AND NOT held AS live
  FROM open_deliveries
  WHERE (${DELIVERY_KEY.names}) IN (SELECT * FROM ${DELIVERY_KEY.unnest('r', 2)})`;

const COUNTED_LANE = LANE.and({ counted: 'boolean' });

/** Counts the live claims of lanes, without the rows that the flow names. */
const STATES = `
  SELECT l.key,
    CASE WHEN l.counted THEN (
      SELECT count(*) FROM (
        SELECT event_seq, round, lease_until FROM open_deliveries
        WHERE ${FROM_MARK} ORDER BY next_attempt_at LIMIT ${MOST_WALKED}) h
      WHERE h.lease_until > $1 AND (l.key, h.event_seq, h.round)
        NOT IN (SELECT * FROM ${DELIVERY_KEY.unnest('r', 2 + COUNTED_LANE.count)}))
    ELSE 0 END AS live,
    (SELECT next_attempt_at FROM open_deliveries
     WHERE ${FROM_MARK} AND lease_until <= $1 ORDER BY next_attempt_at LIMIT 1) AS "nextAt"
  FROM ${COUNTED_LANE.unnest('l', 2)}`;

/**
 * Counts the live claims of lanes and returns what their destinations allow. If the caller has
 * locked a destination, the answer stays true until the commit. For a lane that allows nothing, it
 * reads only the rows that the flow names, even if many deliveries wait.
 *
 * @param isForClaims counts claims only if a limit applies to them, and leaves out `nextAt`
 *   otherwise
 */
export async function viewsOf(
  sql: Sql,
  lanes: readonly ControlledLane[],
  now: number,
  terms: PollTerms,
  isForClaims = false,
): Promise<Map<number, LaneView>> {
  const named = lanes.flatMap(({ key, control: { flow } }) =>
    namedBy(flow).map((ref) => ({ key, ...ref })),
  );
  const rows =
    named.length === 0 ? [] : await sql.rows<RefRow>(REFS, [now, ...refArrays(named)], 'lane refs');
  const byKey = Map.groupBy(rows, ({ key }) => key);
  const views = new Map<number, LaneView>();
  const counted: { lane: ControlledLane; waiting: Flow; liveRefs: number }[] = [];
  for (const lane of lanes) {
    const { flow } = lane.control;
    const refs = byKey.get(lane.key) ?? [];
    const find = (one: DeliveryRef) => refs.find((ref) => isSame(ref, one));
    const lost = lostProbes(flow, now).filter((one) => find(one)?.live);
    const liveRefs = refs.filter(({ live }) => live).length - lost.length;
    const waiting = { ...flow, urgent: flow.urgent.filter((one) => find(one)?.live === false) };
    const atMost = allowed(lane.control, waiting, liveRefs, now, terms);
    const cleaned = { ...flow, urgent: flow.urgent.filter(find), lost };
    views.set(lane.key, { permits: atMost, flow: cleaned, live: liveRefs, nextAt: null });
    // Live claims only lower what the destination allows. If it allows nothing, don't count them.
    if (atMost.most > 0 && !(isForClaims && !isLimited(lane.control, terms)))
      counted.push({ lane, waiting, liveRefs });
  }
  if (counted.length === 0) return views;
  const states = await sql.rows<StateRow>(
    STATES,
    [
      now,
      ...COUNTED_LANE.arrays(
        counted.map(({ lane }) => ({ ...lane, counted: isLimited(lane.control, terms) })),
      ),
      ...refArrays(rows),
    ],
    'lane states',
  );
  const stateOf = new Map(states.map((row) => [row.key, row]));
  for (const { lane, waiting, liveRefs } of counted) {
    const { live = 0, nextAt = null } = stateOf.get(lane.key) ?? {};
    views.set(lane.key, {
      ...(views.get(lane.key) as LaneView),
      permits: allowed(lane.control, waiting, liveRefs + live, now, terms),
      live: liveRefs + live,
      nextAt,
    });
  }
  return views;
}

/** Returns when to poll a lane again, Unix ms, or null if a poll would find nothing. */
export function nextPollAt({ permits, nextAt }: LaneView, now: number): number | null {
  if (permits.urgent.length > 0) return now;
  if (permits.most === 0) return permits.again;
  return permits.probe && nextAt !== null ? now : nextAt;
}

/** Returns the deliveries that may be claimed outside of the head of their lane, each once. */
function namedBy({ urgent, breaker, lost }: Flow): DeliveryRef[] {
  const probing = breaker?.probing;
  const all = [...urgent, ...lost, ...(probing ? [probing] : [])];
  return all.filter((one, i) => !all.slice(0, i).some((before) => isSame(before, one)));
}

/** Returns the probes of dead nodes. A dead node's claim is live until its lease ends. */
function lostProbes({ breaker, lost }: Flow, now: number): readonly DeliveryRef[] {
  const { probing } = breaker ?? {};
  if (probing?.until === undefined || probing.until > now) return lost;
  const { eventSeq, round } = probing;
  return [...lost.filter((one) => !isSame(one, probing)), { eventSeq, round }];
}

/** Returns what a destination allows. Slots limit running attempts, not claims. */
export function allowed(
  control: Control,
  flow: Flow,
  live: number,
  now: number,
  terms: PollTerms,
): Permits {
  const settings = isSlotted(control, terms)
    ? { ...control.settings, concurrency: 'auto' as const }
    : control.settings;
  return permits(settings, flow, live, now, terms.grants);
}

/** Returns the node's slots and claims of a destination, or null if the caller uses no slots. */
export function holderOf(node: string, { slots }: PollTerms, key: number): SlotHolder | null {
  if (!slots) return null;
  return { node, until: slots.until, ...(slots.held.get(key) ?? { slots: 0, claims: 0 }) };
}

function isSlotted({ settings, flow }: Control, { slots }: PollTerms): boolean {
  return slots !== undefined && slottedLimit(settings, flow) !== null;
}

/** Returns whether the number of live claims matters. */
function isLimited(control: Control, terms: PollTerms): boolean {
  const { settings, flow } = control;
  if (isSlotted(control, terms)) return false;
  return flow.breaker !== null || flow.ramp !== null || settings.concurrency !== 'auto';
}

function refArrays(refs: readonly (DeliveryRef & { key: number })[]): unknown[] {
  return DELIVERY_KEY.arrays(refs.map(({ key, ...ref }) => ({ ...ref, destinationKey: key })));
}
