import type { BreakerTerms } from '../../../core/flow/breaker-terms.ts';
import { readFlow, storedFlow } from '../../../core/flow/flow.ts';
import { holdsBack } from '../../../core/flow/permits.ts';
import { ALWAYS, shiftedFlow } from '../../../core/flow/shifted-flow.ts';
import type { ClaimedDelivery, ClaimTerms } from '../../contract/claims.ts';
import type { Outgoing, QueueStore, SettledAttempt, Settlement } from '../../contract/queue.ts';
import { controlOf } from '../../shared/claimed-destination.ts';
import type { Database, Sql } from '../connection/database.ts';
import {
  DESTINATION_COLUMNS,
  type DestinationRow,
  destinationOf,
} from '../reading/destination-rows.ts';
import { claimControlled } from './claims.ts';
import { nextLookAt, viewsOf } from './controlled-lanes.ts';
import {
  beside,
  claimDirect,
  type DueTerms,
  isCut,
  LANES,
  type LaneRow,
  remaining,
  roomFor,
  type SortedLanes,
  sorted,
} from './due-lanes.ts';
import { type ContentRow, contentOf } from './events.ts';
import { FROM_MARK } from './lane-marks.ts';
import type { Lanes } from './lane-sweeps.ts';
import {
  forgetEndedClaims,
  HELD_AGAIN,
  isOrdered,
  ordersOfClaims,
  renewEndedClaims,
} from './order/ended-claims.ts';
import { type Freed, lockOrders } from './order/order-turns.ts';
import { JOB_CANCELLING } from './replays/job-rows.ts';
import { settleAll } from './settle.ts';

/**
 * Longest time between two nodes' reports of the same clock jump, which moves due times
 * once, ms.
 */
const SAME_JUMP_MS = 120_000;
const SAME_JUMP_TOLERANCE_MS = 5000;

/**
 * When the next unclaimed delivery of the known lanes is due ($2, from the due times $3), in
 * a row without a key, and the lanes that settings or a flow may control, one row for each.
 */
export const NEXT_DUE = `
  WITH lanes AS MATERIALIZED (
    SELECT l.key, l.since, d.settings, d.flow,
      d.flow IS NULL AND d.settings !~ '"(state|rate|concurrency)":' AS plain
    FROM unnest($2::bigint[], $3::bigint[]) AS l(key, since)
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

/** Joins the rows `v` of claims `c` that are still live. */
const LIVE_CLAIMS = `
  FROM unnest($1::bigint[], $2::bigint[], $3::integer[], $4::integer[])
    AS c(destination_key, event_seq, round, token)
  WHERE v.destination_key = c.destination_key AND v.event_seq = c.event_seq AND v.round = c.round
    AND v.token = c.token`;

const IN_SPAN = 'next_attempt_at > $2 AND next_attempt_at < $4';
/**
 * Selects leases that were taken by the old time, whenever their deliveries are due. A
 * clock set ahead (by $1 > 0) would end the leases of nodes that haven't noticed it yet.
 * Leases by the new time end after $3.
 */
const OLD_LEASE = 'lease_until > greatest($2::bigint, 0) AND ($1 < 0 OR lease_until <= $3)';

interface BegunRow extends ContentRow, DestinationRow {
  deliveryId: string;
  method: string;
  path: string;
}

interface NextRow {
  key: number | null;
  since: number;
  settings: string;
  flow: string | null;
  at: number | null;
}

/**
 * Longest time that one look spends on controlled lanes, ms: each is a transaction of its
 * own, and the claims of all others wait. The next look follows at once.
 */
const MOST_CONTROLLED_MS = 250;
/** Pause before the next look at a lane whose destination another transaction has locked, ms. */
const BUSY_AGAIN_MS = 50;

/**
 * The queue. A claim is a lease in the delivery's row, by the database's time, and a
 * token that counts the row's claims. A claim is live while the row is there and has its
 * token. Each claim, settlement and release increments the token.
 *
 * Lanes of direct destinations are claimed in bulk. Those of controlled ones are claimed
 * one by one, each under its destination's lock.
 */
export class PostgresQueue implements QueueStore {
  readonly #db: Database;
  readonly #node: string;
  readonly #lanes: Lanes;
  /** Lanes that the last look left out, because another transaction had their lock. */
  #busy = new Set<number>();
  readonly #onReleased: (destinationKeys: ReadonlySet<number>) => void;

  /** @param onReleased called with destinations whose deliveries other nodes may now claim */
  constructor(
    db: Database,
    node: string,
    lanes: Lanes,
    onReleased: (destinationKeys: ReadonlySet<number>) => void,
  ) {
    this.#db = db;
    this.#node = node;
    this.#lanes = lanes;
    this.#onReleased = onReleased;
  }

  async claimDue(
    now: number,
    terms: ClaimTerms & { perDestination: number },
  ): Promise<ClaimedDelivery[]> {
    if (terms.limit <= 0) return [];
    const { marks, sweeps } = this.#lanes;
    await sweeps.beforeLook();
    const look = marks.look(now, terms.skip, terms.only);
    if (look.keys.length === 0) return [];
    return marks.follow(look, async () => {
      const { first, lanes } = await this.#db.lease(async (sql) => {
        const rows = await sql.rows<LaneRow>(LANES, [now, look.keys, look.since], 'lanes');
        const lanes = sorted(rows, now, terms.startable);
        const shared = beside(lanes.controlled, terms);
        const first = await claimDirect(sql, lanes.direct, now, shared);
        // The others have more only where sharing cut them short.
        return { first, lanes: isCut(first, shared) ? lanes : { ...lanes, direct: [] } };
      });
      return { result: await this.#claimRest(first, lanes, now, terms), oldest: lanes.oldest };
    });
  }

  /** Adds the claims of controlled lanes, then further ones of direct lanes if there is room. */
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
        const taken = await this.#db.lease((sql) =>
          claimControlled(
            sql,
            { key: destination.key, since },
            { now, most, leaseUntil: terms.leaseUntil },
          ),
        );
        if (taken === 'busy') this.#busy.add(destination.key);
        else claimed.push(...taken);
      }
      const rest = remaining(claimed, terms);
      if (direct.length > 0 && rest.limit > 0) {
        claimed.push(...(await this.#db.lease((sql) => claimDirect(sql, direct, now, rest))));
      }
    } catch (error) {
      // The other claims are taken. The next look finds these lanes again.
      if (claimed.length === 0) throw error;
    }
    return claimed;
  }

  async nextDueAt(
    now: number,
    skip: ReadonlySet<number>,
    only?: ReadonlySet<number>,
  ): Promise<number | null> {
    const { marks, sweeps } = this.#lanes;
    await sweeps.beforeLook();
    const { keys, since } = marks.look(now, skip, only);
    if (keys.length === 0) return null;
    return this.#db.lease(async (sql) => {
      const rows = await sql.rows<NextRow>(NEXT_DUE, [now, keys, since], 'next due');
      const lanes = rows.flatMap(({ key, ...row }) =>
        key === null ? [] : [{ key, since: row.since, control: controlOf(row) }],
      );
      const times = rows.map(({ at }) => at);
      const views = lanes.length === 0 ? [] : await viewsOf(sql, lanes, now);
      for (const [key, view] of views) {
        const at = nextLookAt(view, now);
        const isBusy = at !== null && this.#busy.has(key);
        times.push(isBusy ? Math.max(at, now + BUSY_AGAIN_MS) : at);
      }
      const known = times.filter((at) => at !== null);
      return known.length === 0 ? null : Math.min(...known);
    });
  }

  async begin(
    claims: readonly ClaimedDelivery[],
    leaseUntil: number,
    now: number,
  ): Promise<(Outgoing | null)[]> {
    if (claims.length === 0) return [];
    // `claims` may also have an older claim of the same delivery.
    const newest = new Map<string, ClaimedDelivery>();
    for (const claim of claims) {
      if (claim.token > (newest.get(claim.id)?.token ?? -1)) newest.set(claim.id, claim);
    }
    const begun = await this.#db.lease(async (sql) => {
      const rows = await sql.rows<BegunRow>(
        `WITH live AS (
           UPDATE open_deliveries v SET lease_until = $5 ${LIVE_CLAIMS}
             AND EXISTS (SELECT 1 FROM endpoints p
               WHERE p.key = v.endpoint_key AND p.deleted_at IS NULL)
             -- The deliveries of a job that is being cancelled end slice by slice.
             AND (v.job_key IS NULL OR NOT EXISTS (SELECT 1 FROM replay_jobs j
               WHERE j.key = v.job_key AND j.state = ${JOB_CANCELLING}))
           RETURNING v.id, v.endpoint_key, v.event_seq, v.destination_key
         )
         SELECT l.id AS "deliveryId", e.method, e.path, c.query, c.headers, c.body,
           ${DESTINATION_COLUMNS}
         FROM live l
         JOIN destinations d ON d.key = l.destination_key
         JOIN events e ON e.endpoint_key = l.endpoint_key AND e.seq = l.event_seq
         JOIN event_contents c ON c.seq = e.seq`,
        [...claimColumns(claims), leaseUntil],
        'begin',
      );
      const held = rows.flatMap((row) => {
        const claim = newest.get(row.deliveryId) as ClaimedDelivery;
        return isHeldBack(row, claim, now) ? [claim] : [];
      });
      const unordered = held.filter((claim) => !isOrdered(claim));
      return { rows, held, released: await releaseAll(sql, unordered) };
    });
    // Other nodes may not claim them either, so no signal is sent.
    for (const { key, dueAt } of begun.released) this.#lanes.marks.note(key, dueAt);
    const heldIds = new Set(begun.held.map(({ id }) => id));
    const rows = begun.rows.filter(({ deliveryId }) => !heldIds.has(deliveryId));
    const byId = new Map(rows.map((row) => [row.deliveryId, row]));
    const refused = claims.filter((claim) => !byId.has(claim.id) && !heldIds.has(claim.id));
    await this.#giveUp(refused.filter(isOrdered), begun.held.filter(isOrdered));
    return claims.map((claim) => {
      const row = byId.get(claim.id);
      if (!row || claim !== newest.get(claim.id)) return null;
      return {
        destination: destinationOf(row),
        request: { ...contentOf(row), method: row.method, path: row.path },
      };
    });
  }

  async renew(claims: readonly ClaimedDelivery[], leaseUntil: number): Promise<void> {
    if (claims.length === 0) return;
    const renewed = await this.#db.lease((sql) =>
      sql.run(
        `UPDATE open_deliveries v SET lease_until = $5 ${LIVE_CLAIMS}`,
        [...claimColumns(claims), leaseUntil],
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
    if (claims.length === 0) return;
    const unordered = claims.filter((claim) => !isOrdered(claim));
    if (unordered.length > 0) {
      const released = await this.#db.lease((sql) => releaseAll(sql, unordered));
      for (const { key, dueAt } of released) this.#lanes.marks.note(key, dueAt);
    }
    await this.#giveUp([], claims.filter(isOrdered));
    this.#onReleased(new Set(claims.map(({ destination }) => destination.key)));
  }

  /**
   * Gives ordered claims up, under the locks of their keys. Those that are refused stay
   * unclaimable until their leases end, but hold their keys no longer.
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
          `UPDATE open_deliveries v SET held = true ${LIVE_CLAIMS}`,
          claimColumns(refused),
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

  /** Every node notices a jump of the database's clock. The first moves the times for all. */
  async shiftDue(byMs: number, only = ALWAYS): Promise<void> {
    await this.#db.transaction(async (sql) => {
      const [last] = await sql.rows<{ value: string }>(
        `INSERT INTO meta (name, value) VALUES ('due_shift', '{}')
         ON CONFLICT (name) DO UPDATE SET value = meta.value RETURNING value`,
      );
      const [clock] = await sql.rows<{ now: number }>(
        'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now',
      );
      const now = clock?.now ?? 0;
      const before = JSON.parse(last?.value ?? '{}') as { node?: string; by?: number; at?: number };
      const isSame =
        before.node !== undefined &&
        before.node !== this.#node &&
        Math.abs((before.by ?? 0) - byMs) < SAME_JUMP_TOLERANCE_MS &&
        Math.abs(now - (before.at ?? 0)) < SAME_JUMP_MS;
      if (isSame) return;
      await sql.run(
        `UPDATE open_deliveries
         SET next_attempt_at = next_attempt_at + CASE WHEN ${IN_SPAN} THEN $1 ELSE 0 END,
           lease_until = lease_until + CASE WHEN ${OLD_LEASE} THEN $1 ELSE 0 END
         WHERE (${IN_SPAN}) OR (${OLD_LEASE})`,
        [byMs, only.after, now, only.before],
      );
      await sql.run(
        `UPDATE ended_claims SET lease_until = lease_until + $1::bigint WHERE ${OLD_LEASE}`,
        [byMs, only.after, now],
      );
      const flows = await sql.rows<{ key: number; flow: string }>(
        `SELECT key, flow FROM destinations WHERE flow IS NOT NULL
         ORDER BY key FOR NO KEY UPDATE`,
      );
      await sql.run(
        `UPDATE destinations d SET flow = f.flow
         FROM unnest($1::bigint[], $2::text[]) AS f(key, flow) WHERE d.key = f.key`,
        [
          flows.map(({ key }) => key),
          flows.map(({ flow }) => storedFlow(shiftedFlow(readFlow(flow), byMs, only))),
        ],
      );
      await sql.run("UPDATE meta SET value = $1 WHERE name = 'due_shift'", [
        JSON.stringify({ node: this.#node, by: byMs, at: now }),
      ]);
    });
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

function isHeldBack({ settings, flow }: BegunRow, claim: ClaimedDelivery, now: number): boolean {
  return holdsBack(controlOf({ settings, flow }).settings, readFlow(flow), claim, now);
}

async function releaseAll(
  sql: Sql,
  claims: readonly ClaimedDelivery[],
): Promise<{ key: number; dueAt: number }[]> {
  if (claims.length === 0) return [];
  return sql.rows(
    `UPDATE open_deliveries v SET lease_until = ${HELD_AGAIN}, held = ${HELD_AGAIN} > 0,
       token = v.token + 1 ${LIVE_CLAIMS}
     RETURNING v.destination_key AS key, v.next_attempt_at AS "dueAt"`,
    claimColumns(claims),
    'release',
  );
}

function claimColumns(claims: readonly ClaimedDelivery[]): unknown[] {
  return [
    claims.map(({ destination }) => destination.key),
    claims.map(({ eventSeq }) => eventSeq),
    claims.map(({ round }) => round),
    claims.map(({ token }) => token),
  ];
}
