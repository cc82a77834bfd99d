import type { BreakerTerms } from '../../../core/flow/breaker-terms.ts';
import { readFlow } from '../../../core/flow/flow.ts';
import { ALWAYS } from '../../../core/flow/shifted-flow.ts';
import { slotsAgain, slottedLimit } from '../../../core/flow/slots.ts';
import type { ClaimedDelivery, DueTerms } from '../../contract/claims.ts';
import type { Outgoing, QueueStore, SettledAttempt, Settlement } from '../../contract/queue.ts';
import { type Control, controlOf } from '../../shared/destinations/claimed-destination.ts';
import type { Database } from '../connection/database.ts';
import { SharedCalls } from '../connection/shared-calls.ts';
import { type BegunRow, beginAll, isHeldBack, outgoingOf, slotsUntil } from './begin.ts';
import {
  type ControlledLane,
  holderOf,
  nextPollAt,
  type PollTerms,
  viewsOf,
} from './controlled-lanes.ts';
import { claimControlled } from './due-deliveries.ts';
import {
  beside,
  claimDirect,
  type DueLaneRow,
  isCut,
  LANES,
  remaining,
  roomFor,
  type SortedLanes,
  sorted,
} from './due-lanes.ts';
import { forgetEndedClaims, isOrdered, ordersOfClaims, renewEndedClaims } from './ended-claims.ts';
import { FROM_MARK, LANE } from './lane-marks.ts';
import type { NodeLanes } from './lane-sweeps.ts';
import { claimArrays, liveClaims, releaseAll } from './live-claims.ts';
import { type Freed, lockOrders } from './order-turns.ts';
import { settleAll } from './settling.ts';
import { giveSlotsBack, prolongSlots, releaseWithGrants } from './shared-limits.ts';
import { shiftTimes } from './time-shift.ts';

/**
 * Selects when to poll next. The row with a null key is for all lanes that nothing controls: it has
 * their earliest due time. Each other row is a lane that settings or a flow may control.
 */
export const NEXT_DUE = `
  WITH lanes AS MATERIALIZED (
    SELECT l.key, l.since, d.settings, d.flow,
      d.flow IS NULL AND d.settings !~ '"(state|rate|concurrency)":' AS plain
    FROM ${LANE.unnest('l', 2)}
    JOIN destinations d ON d.key = l.key
    JOIN endpoints p ON p.key = d.endpoint_key AND p.deleted_at IS NULL
  )
  SELECT NULL::bigint AS key, NULL::bigint AS since, NULL AS settings, NULL AS flow,
    min(n.next_attempt_at) AS at
  FROM lanes l CROSS JOIN LATERAL (
    SELECT next_attempt_at FROM open_deliveries
    WHERE ${FROM_MARK} AND lease_until <= $1
    ORDER BY next_attempt_at LIMIT 1) n
  WHERE l.plain
  UNION ALL
  SELECT l.key, l.since, l.settings, l.flow, NULL FROM lanes l WHERE NOT l.plain`;

interface NextRow {
  key: number | null;
  since: number;
  settings: string;
  flow: string | null;
  at: number | null;
}

/**
 * The longest time that one poll spends on controlled lanes, ms. Each of these lanes needs its own
 * transaction, and the claims of all other lanes wait meanwhile. The next poll continues at once.
 */
const MOST_CONTROLLED_MS = 250;
/** The pause before the next poll of a lane whose destination is locked, ms. */
const BUSY_AGAIN_MS = 50;

/** At most this many statements begin attempts at once. Polls use the same connections. */
const BEGINS_AT_ONCE = 3;

interface Begin {
  claim: ClaimedDelivery;
  leaseUntil: number;
  now: number;
}

/**
 * Returns deliveries as claims. A claim consists of a token and a lease in the delivery's row, by
 * the database's time. Each claim, settlement and release increments the row's token. A claim is
 * live while the row exists and has the claim's token.
 *
 * Direct lanes are claimed together (see `isDirect`). Controlled lanes are claimed one by one, each
 * under its destination's lock.
 */
export class PostgresQueue implements QueueStore {
  readonly #db: Database;
  readonly #node: string;
  readonly #lanes: NodeLanes;
  readonly #begins: SharedCalls<Begin, Outgoing | null>;
  readonly #releases: SharedCalls<ClaimedDelivery, undefined>;
  /**
   * Lanes that the last poll skipped, because another transaction had locked their destinations.
   */
  #busy = new Set<number>();
  readonly #onReleased: (destinationKeys: ReadonlySet<number>) => void;

  /** @param onReleased called with destinations whose deliveries other nodes may claim now */
  constructor(
    db: Database,
    node: string,
    lanes: NodeLanes,
    onReleased: (destinationKeys: ReadonlySet<number>) => void,
  ) {
    this.#db = db;
    this.#node = node;
    this.#lanes = lanes;
    this.#onReleased = onReleased;
    this.#begins = new SharedCalls((begins) => this.#begin(begins), BEGINS_AT_ONCE);
    this.#releases = new SharedCalls((claims) => this.#release(claims), 1);
  }

  async claimDue(now: number, terms: DueTerms): Promise<ClaimedDelivery[]> {
    if (terms.limit <= 0) return [];
    const { marks, sweeps } = this.#lanes;
    await sweeps.beforePoll();
    const poll = marks.known(now, terms.skip, terms.only);
    if (poll.lanes.length === 0) return [];
    return marks.follow(poll, async () => {
      const rows = await this.#db.glance((sql) =>
        sql.rows<DueLaneRow>(LANES, [now, ...LANE.arrays(poll.lanes)], 'lanes'),
      );
      const lanes = sorted(rows, now, terms);
      const shared = beside(lanes.controlled, terms);
      const first =
        lanes.direct.length === 0
          ? []
          : await this.#db.lease((sql) => claimDirect(sql, lanes.direct, now, shared));
      // Direct lanes can have more only if the limits shared with controlled lanes cut them short.
      const rest = isCut(first, shared) ? lanes : { ...lanes, direct: [] };
      return { result: await this.#claimRest(first, rest, now, terms), oldest: lanes.oldest };
    });
  }

  /** Adds claims of controlled lanes, then of direct lanes if the limits allow more. */
  async #claimRest(
    first: readonly ClaimedDelivery[],
    { direct, controlled }: Pick<SortedLanes, 'direct' | 'controlled'>,
    now: number,
    terms: DueTerms,
  ): Promise<ClaimedDelivery[]> {
    this.#busy = new Set();
    const claimed = [...first];
    if (controlled.length === 0) return claimed;
    try {
      const endAt = performance.now() + MOST_CONTROLLED_MS;
      for (const lane of controlled) {
        const most = Math.min(lane.most, roomFor(lane, claimed, terms));
        if (performance.now() >= endAt || claimed.length >= terms.limit) break;
        if (most <= 0) continue;
        const { destination, since } = lane;
        const taken = await this.#db.lease((sql, sendLast) =>
          claimControlled(
            { sql, sendLast },
            { key: destination.key, since },
            { node: this.#node, now, most, terms },
          ),
        );
        if (taken === 'busy') this.#busy.add(destination.key);
        else {
          claimed.push(...taken.claims);
          if (taken.hasFreedSlots) this.#onReleased(new Set([destination.key]));
        }
      }
      const rest = remaining(claimed, terms);
      if (direct.length > 0 && rest.limit > 0) {
        claimed.push(...(await this.#db.lease((sql) => claimDirect(sql, direct, now, rest))));
      }
    } catch (error) {
      // Return the claims that were made, instead of the error. The next poll finds the other
      // lanes.
      if (claimed.length === 0) throw error;
    }
    return claimed;
  }

  async nextDueAt(
    now: number,
    skip: ReadonlySet<number>,
    only?: ReadonlySet<number>,
    terms: PollTerms = {},
  ): Promise<number | null> {
    const { marks, sweeps } = this.#lanes;
    await sweeps.beforePoll();
    const poll = marks.known(now, skip, only);
    if (poll.lanes.length === 0) return null;
    return this.#db.glance(async (sql) => {
      const rows = await sql.rows<NextRow>(NEXT_DUE, [now, ...LANE.arrays(poll.lanes)], 'next due');
      const lanes = rows.flatMap(({ key, ...row }) =>
        key === null ? [] : [{ key, since: row.since, control: controlOf(row) }],
      );
      const times = rows.map(({ at }) => at);
      const views = lanes.length === 0 ? [] : await viewsOf(sql, lanes, now, terms);
      for (const [key, view] of views) {
        const { control } = lanes.find((lane) => lane.key === key) as ControlledLane;
        const at = this.#slotsAgain(key, control, now, terms) ?? nextPollAt(view, now);
        const isBusy = at !== null && this.#busy.has(key);
        times.push(isBusy ? Math.max(at, now + BUSY_AGAIN_MS) : at);
      }
      const known = times.filter((at) => at !== null);
      return known.length === 0 ? null : Math.min(...known);
    });
  }

  /**
   * Returns when this node may get slots from other nodes, Unix ms. Null if it has or needs none.
   */
  #slotsAgain(
    key: number,
    { settings, flow }: Control,
    now: number,
    terms: PollTerms,
  ): number | null {
    const holder = holderOf(this.#node, terms, key);
    const limit = slottedLimit(settings, flow);
    return holder && limit !== null ? slotsAgain(flow, limit, holder, now) : null;
  }

  begin(
    claims: readonly ClaimedDelivery[],
    leaseUntil: number,
    now: number,
  ): Promise<(Outgoing | null)[]> {
    return this.#begins.call(claims.map((claim) => ({ claim, leaseUntil, now })));
  }

  async #begin(begins: readonly Begin[]): Promise<(Outgoing | null)[]> {
    if (begins.length === 0) return [];
    const claims = begins.map(({ claim }) => claim);
    const leaseUntil = Math.max(...begins.map((one) => one.leaseUntil));
    const now = Math.max(...begins.map((one) => one.now));
    // Two claims may be of the same delivery. Keep the newest.
    const newest = new Map<string, ClaimedDelivery>();
    for (const claim of claims) {
      if (claim.token > (newest.get(claim.id)?.token ?? -1)) newest.set(claim.id, claim);
    }
    const begun = await beginAll(this.#db, claims, leaseUntil);
    const held = begun.flatMap((row) => {
      const claim = newest.get(row.deliveryId) as ClaimedDelivery;
      return isHeldBack(row, claim, this.#node, now) ? [claim] : [];
    });
    if (held.length > 0) await this.#releaseUnordered(held);
    const heldIds = new Set(held.map(({ id }) => id));
    const rows = begun.filter(({ deliveryId }) => !heldIds.has(deliveryId));
    await this.#prolongSlots(rows, claims, leaseUntil);
    const byId = new Map(rows.map((row) => [row.deliveryId, row]));
    const refused = claims.filter((claim) => !byId.has(claim.id) && !heldIds.has(claim.id));
    await this.#giveUp(refused.filter(isOrdered), held.filter(isOrdered));
    return claims.map((claim) => {
      const row = byId.get(claim.id);
      return row && claim === newest.get(claim.id) ? outgoingOf(row) : null;
    });
  }

  /** Extends the leases of slots until the attempts that use these slots have ended. */
  async #prolongSlots(
    rows: readonly BegunRow[],
    claims: readonly ClaimedDelivery[],
    leaseUntil: number,
  ): Promise<void> {
    if (claims.every(({ destination }) => destination.slots === null)) return;
    const ending = rows.filter(({ flow }) => {
      const until = slotsUntil(readFlow(flow), this.#node);
      return until > 0 && until < leaseUntil;
    });
    if (ending.length === 0) return;
    await prolongSlots(
      this.#db,
      this.#node,
      [...new Set(ending.map(({ key }) => key))],
      leaseUntil,
    );
  }

  async renew(claims: readonly ClaimedDelivery[], leaseUntil: number): Promise<void> {
    if (claims.length === 0) return;
    const renewed = await this.#db.lease((sql) =>
      sql.run(
        `UPDATE open_deliveries v SET lease_until = $1 ${liveClaims(2)}`,
        [leaseUntil, ...claimArrays(claims)],
        'renew',
      ),
    );
    const ordered = claims.filter(isOrdered);
    if (renewed === claims.length || ordered.length === 0) return;
    await this.#db.transaction(async (sql) => {
      await lockOrders(sql, ordersOfClaims(ordered));
      await renewEndedClaims(sql, ordered, leaseUntil);
    });
  }

  async release(claims: readonly ClaimedDelivery[]): Promise<void> {
    await this.#releases.call(claims);
  }

  async #release(claims: readonly ClaimedDelivery[]): Promise<undefined[]> {
    if (claims.length === 0) return [];
    await this.#releaseUnordered(claims);
    await this.#giveUp([], claims.filter(isOrdered));
    this.#onReleased(new Set(claims.map(({ destination }) => destination.key)));
    return [];
  }

  /** Releases the claims that have no order key. Withdraws the granted starts of all `claims`. */
  async #releaseUnordered(claims: readonly ClaimedDelivery[]): Promise<void> {
    const unordered = claims.filter((claim) => !isOrdered(claim));
    const released = await releaseWithGrants(this.#db, unordered, claims.filter(isOrdered));
    for (const { key, dueAt } of released) this.#lanes.marks.note(key, dueAt);
  }

  async giveSlotsBack(kept: ReadonlyMap<number, number>): Promise<void> {
    if (kept.size === 0) return;
    await giveSlotsBack(this.#db, this.#node, kept);
    this.#onReleased(new Set(kept.keys()));
  }

  /**
   * Ends claims that have an order key, under the locks of their keys. Refused claims can't be
   * claimed before their leases end, but they don't block their order keys.
   */
  async #giveUp(
    refused: readonly ClaimedDelivery[],
    released: readonly ClaimedDelivery[],
  ): Promise<void> {
    const claims = [...refused, ...released];
    if (claims.length === 0) return;
    const { due, freed } = await this.#db.transaction(async (sql) => {
      await lockOrders(sql, ordersOfClaims(claims));
      if (refused.length > 0) {
        await sql.run(
          `UPDATE open_deliveries v SET held = true ${liveClaims(1)}`,
          claimArrays(refused),
          'refuse',
        );
      }
      const due = await releaseAll(sql, released);
      const freed: Freed[] = await forgetEndedClaims(sql, claims);
      return { due, freed };
    });
    for (const { key, dueAt } of due) this.#lanes.marks.note(key, dueAt);
    for (const { destinationKey, dueAt } of freed) this.#lanes.marks.note(destinationKey, dueAt);
  }

  /**
   * Shifts due times after a jump of the database's clock. Every node calls this, but only the
   * first call has an effect.
   */
  async shiftDue(byMs: number, only = ALWAYS): Promise<void> {
    await this.#db.transaction((sql) => shiftTimes(sql, this.#node, byMs, only));
    if (byMs < 0) this.#lanes.marks.moveBack(byMs);
  }

  async settle(
    settlements: readonly Settlement[],
    breaker: BreakerTerms,
  ): Promise<(SettledAttempt | null)[]> {
    if (settlements.length === 0) return [];
    const { results, freed } = await this.#db.transaction((sql) =>
      settleAll(sql, settlements, breaker),
    );
    for (const { claim, next } of settlements) {
      if (next.state !== 'pending') continue;
      this.#lanes.marks.note(claim.destination.key, next.nextAttemptAt);
    }
    for (const { destinationKey, dueAt } of freed) this.#lanes.marks.note(destinationKey, dueAt);
    return results;
  }
}
