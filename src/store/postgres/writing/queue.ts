import { isHealthy } from '../../../core/destination-health.ts';
import type { ClaimedDelivery, ClaimedDestination, ClaimTerms } from '../../contract/claims.ts';
import type { Outgoing, QueueStore, SettledAttempt, Settlement } from '../../contract/queue.ts';
import {
  type ClaimedDestinationRow,
  claimedDestination,
} from '../../shared/claimed-destination.ts';
import { triggerOf } from '../../shared/codes.ts';
import { ALWAYS } from '../../shared/due-span.ts';
import type { Database, Sql } from '../connection/database.ts';
import {
  CLAIMED_DESTINATION_COLUMNS,
  DESTINATION_COLUMNS,
  type DestinationRow,
  destinationOf,
} from '../reading/destination-rows.ts';
import { type ContentRow, contentOf } from './events.ts';
import type { Lanes } from './lane-sweeps.ts';
import { settleAll } from './settle.ts';

/**
 * Longest time between two nodes' reports of the same clock jump, which moves due times
 * once, ms.
 */
const SAME_JUMP_MS = 120_000;
const SAME_JUMP_TOLERANCE_MS = 5000;

/** The due time of the oldest open delivery of a lane `l`, from its mark on. */
const FROM_MARK = 'destination_key = l.key AND next_attempt_at >= l.since';

/**
 * The known lanes ($2, from the due times $3) whose oldest open delivery is due, the
 * longest due first, and those where nothing is open. `id` is null where the lane's
 * endpoint is gone.
 */
export const LANES = `
  SELECT l.key AS lane, n.next_attempt_at AS "dueAt", c.*
  FROM unnest($2::bigint[], $3::bigint[]) AS l(key, since)
  LEFT JOIN LATERAL (
    SELECT next_attempt_at FROM open_deliveries
    WHERE ${FROM_MARK} ORDER BY next_attempt_at LIMIT 1) n ON true
  LEFT JOIN LATERAL (
    SELECT ${CLAIMED_DESTINATION_COLUMNS}
    FROM destinations d JOIN endpoints p ON p.key = d.endpoint_key
    WHERE d.key = l.key AND p.deleted_at IS NULL) c ON true
  WHERE n.next_attempt_at IS NULL OR n.next_attempt_at <= $1
  ORDER BY n.next_attempt_at`;

/**
 * Claims up to $3 deliveries of each lane in $1 (arrays), in the order of $1, and $4 in all.
 * $6 is the due time from which each lane has open deliveries.
 */
export const CLAIM = `
  WITH picked AS MATERIALIZED (
    SELECT q.*, l.place FROM
      (SELECT key, most, since, place
       FROM unnest($1::bigint[], $3::integer[], $6::bigint[])
         WITH ORDINALITY AS l(key, most, since, place)
       ORDER BY place) l
      CROSS JOIN LATERAL (
        SELECT event_seq, round, destination_key, endpoint_key, next_attempt_at
        FROM open_deliveries
        WHERE ${FROM_MARK} AND next_attempt_at <= $2 AND lease_until <= $2
        ORDER BY next_attempt_at LIMIT l.most FOR UPDATE SKIP LOCKED) q
    LIMIT $4
  )
  UPDATE open_deliveries v SET token = v.token + 1, lease_until = $5
  FROM picked q JOIN events e ON e.endpoint_key = q.endpoint_key AND e.seq = q.event_seq
  WHERE v.destination_key = q.destination_key AND v.event_seq = q.event_seq AND v.round = q.round
  RETURNING v.id, v.token, v.event_seq AS "eventSeq", e.id AS "eventId",
    v.endpoint_key AS "endpointKey", v.round, v.trigger, v.attempts, e.size, q.place,
    v.destination_key AS "destinationKey", v.next_attempt_at AS "dueAt"`;

/** When the next unclaimed delivery of the known lanes is due ($2, from the due times $3). */
export const NEXT_DUE = `
  SELECT min(n.next_attempt_at) AS at
  FROM unnest($2::bigint[], $3::bigint[]) AS l(key, since)
  JOIN destinations d ON d.key = l.key
  JOIN endpoints p ON p.key = d.endpoint_key AND p.deleted_at IS NULL
  CROSS JOIN LATERAL (
    SELECT next_attempt_at FROM open_deliveries
    WHERE ${FROM_MARK} AND lease_until <= $1
    ORDER BY next_attempt_at LIMIT 1) n`;

/** Joins the rows `v` of claims `c` that are still live. */
const LIVE_CLAIMS = `
  FROM unnest($1::bigint[], $2::bigint[], $3::integer[], $4::integer[])
    AS c(destination_key, event_seq, round, token)
  WHERE v.destination_key = c.destination_key AND v.event_seq = c.event_seq AND v.round = c.round
    AND v.token = c.token`;

const IN_SPAN = 'next_attempt_at > $2 AND next_attempt_at < $3';
/**
 * Selects leases that were taken by the old time, whenever their deliveries are due. A
 * clock set ahead (by $1 > 0) would end the leases of nodes that haven't noticed it yet.
 * Leases by the new time end after $4.
 */
const OLD_LEASE = 'lease_until > greatest($2, 0) AND ($1 < 0 OR lease_until <= $4)';

interface BegunRow extends ContentRow, DestinationRow {
  deliveryId: string;
  method: string;
  path: string;
}

/** A lane that is due, or has nothing open (`dueAt` null). */
interface LaneRow extends Omit<ClaimedDestinationRow, 'id'> {
  lane: number;
  dueAt: number | null;
  id: string | null;
}

/** A lane that is due, and may be claimed from. */
interface DueLane {
  destination: ClaimedDestination;
  /** Due time of the oldest open delivery, Unix ms. */
  since: number;
}

interface ClaimRow extends Omit<ClaimedDelivery, 'trigger' | 'destination'> {
  trigger: number;
  place: number;
  destinationKey: number;
  dueAt: number;
}

/**
 * The queue. A claim is a lease in the delivery's row, by the database's time, and a
 * token that counts the row's claims. A claim is live while the row is there and has its
 * token. Each claim, settlement and release increments the token.
 */
export class PostgresQueue implements QueueStore {
  readonly #db: Database;
  readonly #node: string;
  readonly #lanes: Lanes;
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
    const look = marks.look(now, terms.skip);
    if (look.keys.length === 0) return [];
    return marks.follow(look, () =>
      this.#db.lease(async (sql) => {
        const rows = await sql.rows<LaneRow>(LANES, [now, look.keys, look.since], 'lanes');
        const oldest = new Map(rows.map(({ lane, dueAt }) => [lane, dueAt]));
        return { result: await this.#claimOfLanes(sql, dueLanes(rows), now, terms), oldest };
      }),
    );
  }

  async #claimOfLanes(
    sql: Sql,
    lanes: readonly DueLane[],
    now: number,
    terms: ClaimTerms & { perDestination: number },
  ): Promise<ClaimedDelivery[]> {
    const { limit, unhealthyLimit, perDestination, leaseUntil } = terms;
    const depthOf = (key: number) => terms.depths?.get(key) ?? perDestination;
    const claim = (from: readonly DueLane[], most: number, ofEach = depthOf) =>
      this.#claimOf(sql, from, { now, ofEach, most, leaseUntil });
    const one = () => 1;
    if (unhealthyLimit === undefined) return claim(lanes, limit);
    const unhealthy = lanes.filter(({ destination }) => !isHealthy(destination.health));
    const healthy = lanes.filter(({ destination }) => isHealthy(destination.health));
    // Each kind gets half of the limit before either gets more.
    const first = await claim(unhealthy, Math.min(unhealthyLimit, Math.ceil(limit / 2)), one);
    const second = await claim(healthy, limit - first.length);
    const left = limit - first.length - second.length;
    const taken = new Set(first.map(({ destination }) => destination.key));
    const others = unhealthy.filter(({ destination }) => !taken.has(destination.key));
    const third = await claim(others, Math.min(unhealthyLimit - first.length, left), one);
    return [...first, ...second, ...third];
  }

  async #claimOf(
    sql: Sql,
    lanes: readonly DueLane[],
    terms: { now: number; ofEach: (key: number) => number; most: number; leaseUntil: number },
  ): Promise<ClaimedDelivery[]> {
    if (lanes.length === 0 || terms.most <= 0) return [];
    const keys = lanes.map(({ destination }) => destination.key);
    const rows = await sql.rows<ClaimRow>(
      CLAIM,
      [
        keys,
        terms.now,
        keys.map(terms.ofEach),
        terms.most,
        terms.leaseUntil,
        lanes.map(({ since }) => since),
      ],
      'claim',
    );
    rows.sort((a, b) => a.place - b.place || a.dueAt - b.dueAt || a.eventSeq - b.eventSeq);
    return rows.map(({ place, destinationKey: _, dueAt: __, trigger, ...row }) => ({
      ...row,
      trigger: triggerOf(trigger),
      destination: (lanes[place - 1] as DueLane).destination,
    }));
  }

  async nextDueAt(now: number, skip: ReadonlySet<number>): Promise<number | null> {
    const { marks, sweeps } = this.#lanes;
    await sweeps.beforeLook();
    const { keys, since } = marks.look(now, skip);
    if (keys.length === 0) return null;
    const [row] = await this.#db.lease((sql) =>
      sql.rows<{ at: number | null }>(NEXT_DUE, [now, keys, since], 'next due'),
    );
    return row?.at ?? null;
  }

  async begin(
    claims: readonly ClaimedDelivery[],
    leaseUntil: number,
  ): Promise<(Outgoing | null)[]> {
    if (claims.length === 0) return [];
    const rows = await this.#db.lease((sql) =>
      sql.rows<BegunRow>(
        `WITH live AS (
           UPDATE open_deliveries v SET lease_until = $5 ${LIVE_CLAIMS}
             AND EXISTS (SELECT 1 FROM endpoints p
               WHERE p.key = v.endpoint_key AND p.deleted_at IS NULL)
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
      ),
    );
    const byId = new Map(rows.map((row) => [row.deliveryId, row]));
    // `claims` may also have an older claim of the same delivery.
    const newest = new Map<string, number>();
    for (const { id, token } of claims) newest.set(id, Math.max(token, newest.get(id) ?? 0));
    return claims.map(({ id, token }) => {
      const row = byId.get(id);
      if (!row || token !== newest.get(id)) return null;
      return {
        destination: destinationOf(row),
        request: { ...contentOf(row), method: row.method, path: row.path },
      };
    });
  }

  async renew(claims: readonly ClaimedDelivery[], leaseUntil: number): Promise<void> {
    if (claims.length === 0) return;
    await this.#db.lease((sql) =>
      sql.run(
        `UPDATE open_deliveries v SET lease_until = $5 ${LIVE_CLAIMS}`,
        [...claimColumns(claims), leaseUntil],
        'renew',
      ),
    );
  }

  async release(claims: readonly ClaimedDelivery[]): Promise<void> {
    if (claims.length === 0) return;
    const released = await this.#db.lease((sql) =>
      sql.rows<{ key: number; dueAt: number }>(
        `UPDATE open_deliveries v SET lease_until = 0, token = v.token + 1 ${LIVE_CLAIMS}
         RETURNING v.destination_key AS key, v.next_attempt_at AS "dueAt"`,
        claimColumns(claims),
        'release',
      ),
    );
    for (const { key, dueAt } of released) this.#lanes.marks.note(key, dueAt);
    this.#onReleased(new Set(claims.map(({ destination }) => destination.key)));
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
        [byMs, only.after, only.before, now],
      );
      await sql.run("UPDATE meta SET value = $1 WHERE name = 'due_shift'", [
        JSON.stringify({ node: this.#node, by: byMs, at: now }),
      ]);
    });
    if (byMs < 0) this.#lanes.marks.moveBack(byMs);
  }

  async settle(settlements: readonly Settlement[]): Promise<(SettledAttempt | null)[]> {
    if (settlements.length === 0) return [];
    const results = await this.#db.transaction((sql) => settleAll(sql, settlements));
    for (const { claim, next } of settlements) {
      if (next.state !== 'pending') continue;
      this.#lanes.marks.note(claim.destination.key, next.nextAttemptAt);
    }
    return results;
  }
}

function dueLanes(rows: readonly LaneRow[]): DueLane[] {
  return rows.flatMap(({ lane: _, dueAt, id, ...row }) =>
    dueAt === null || id === null
      ? []
      : [{ destination: claimedDestination({ ...row, id }), since: dueAt }],
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
