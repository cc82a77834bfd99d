import type { OrderKey } from '../../../core/rules/verdict.ts';
import type { Sql } from '../connection/database.ts';
import { lockOrderBuckets } from '../connection/locks.ts';
import { type EndedClaim, heldUntil, noteEndedClaims, ORDER, orderArrays } from './ended-claims.ts';

/*
 * The open deliveries of one order key start one after the other, by their turns. A new turn comes
 * from `nextval`, under the key's lock, so it is larger than all earlier turns of the key. The
 * first delivery is the head. The others are behind, which excludes them from the queue's index.
 *
 * A transaction first locks the order keys of deliveries that it opens or ends. It then reads the
 * keys' rows in a later statement, which sees everything that earlier owners of the lock committed.
 * So a key never has two heads. The transaction that ends the head makes the next delivery the
 * head.
 *
 * A delivery that waits for a person (`unjudged`) is behind even if it is the first. The key then
 * has no head, and its other deliveries wait too.
 */

const TURN = ORDER.and({ turn: 'bigint' });

/** An open delivery that a transaction has made a head. */
export interface Freed {
  destinationKey: number;
  orderKey: string;
  dueAt: number;
}

/** An ended delivery. `turn` is null if it had no order key. */
export interface EndedTurn {
  destinationKey: number;
  orderKey: string | null;
  turn: number | null;
  behind: boolean;
  /** Whether the delivery waited for a person. */
  unjudged: boolean;
}

/**
 * Selects the order keys that have open deliveries or ended claims. It looks for a key's newest
 * delivery, because a snapshot elsewhere may keep many ended deliveries before it.
 */
export const OPEN_ORDERS = `
  SELECT * FROM (
    SELECT k.destination_key AS "destinationKey", k.order_key AS key,
      v.event_seq IS NOT NULL AS "isOpen", ${heldUntil('k')} AS "heldUntil"
    FROM ${ORDER.unnest('k')}
    LEFT JOIN LATERAL (
      SELECT event_seq FROM open_deliveries v
      WHERE v.destination_key = k.destination_key AND v.order_key = k.order_key
      ORDER BY v.turn DESC LIMIT 1) v ON true) q
  WHERE "isOpen" OR "heldUntil" > 0`;

/**
 * Makes the first open delivery after a turn the head of its order key. Does nothing if that
 * delivery waits for a person.
 */
export const FREE_NEXT = `
  UPDATE open_deliveries v SET behind = false,
    lease_until = greatest(v.lease_until, n.held_until),
    held = v.lease_until = 0 AND n.held_until > 0
  FROM ${TURN.unnest('k')}
    CROSS JOIN LATERAL (
      SELECT event_seq, round, ${heldUntil('k')} AS held_until FROM open_deliveries o
      WHERE o.destination_key = k.destination_key AND o.order_key = k.order_key
        AND o.turn > k.turn
      ORDER BY o.turn LIMIT 1) n
  WHERE v.destination_key = k.destination_key AND v.event_seq = n.event_seq
    AND v.round = n.round AND v.behind AND NOT v.unjudged
  RETURNING v.destination_key AS "destinationKey", v.order_key AS "orderKey",
    v.next_attempt_at AS "dueAt"`;

/** Returns a text that is unique to the order key of this destination. */
export function nameOf({ destinationKey, key }: OrderKey): string {
  return `${destinationKey} ${key}`;
}

/** Locks order keys until the transaction ends. Keys may repeat. */
export async function lockOrders(sql: Sql, orders: readonly OrderKey[]): Promise<void> {
  if (orders.length > 0) await lockOrderBuckets(sql, orders.map(nameOf));
}

/** The order keys of one transaction's new deliveries. */
export class OpenOrders {
  readonly #taken: Set<string>;
  readonly #heldUntil: ReadonlyMap<string, number>;

  private constructor(taken: Set<string>, heldUntil: ReadonlyMap<string, number>) {
    this.#taken = taken;
    this.#heldUntil = heldUntil;
  }

  static none(): OpenOrders {
    return new OpenOrders(new Set(), new Map());
  }

  /** @param orders order keys that an earlier statement of this transaction has locked */
  static async read(sql: Sql, orders: readonly OrderKey[]): Promise<OpenOrders> {
    if (orders.length === 0) return OpenOrders.none();
    const distinct = [...new Map(orders.map((order) => [nameOf(order), order])).values()];
    const rows = await sql.rows<OrderKey & { isOpen: boolean; heldUntil: number }>(
      OPEN_ORDERS,
      orderArrays(distinct),
      'open orders',
    );
    return new OpenOrders(
      new Set(rows.filter(({ isOpen }) => isOpen).map(nameOf)),
      new Map(rows.map((row) => [nameOf(row), row.heldUntil])),
    );
  }

  /** Adds a delivery of an order key. Returns whether an open delivery is before it. */
  isBehind(order: OrderKey): boolean {
    const name = nameOf(order);
    if (this.#taken.has(name)) return true;
    this.#taken.add(name);
    return false;
  }

  /**
   * Returns when the lease of the order key's ended claims ends, Unix ms. Returns 0 if it has
   * ended.
   */
  heldUntil(order: OrderKey, now: number): number {
    const until = this.#heldUntil.get(nameOf(order)) ?? 0;
    return until > now ? until : 0;
  }
}

/**
 * Frees the next delivery of each order key whose head has ended. The caller has locked the order
 * keys. The search starts after the ended turn, because a snapshot elsewhere may keep many ended
 * deliveries in the index.
 */
export async function freeNext(sql: Sql, ended: readonly EndedTurn[]): Promise<Freed[]> {
  const heads = ended.flatMap(({ destinationKey, orderKey, turn, behind, unjudged }) =>
    orderKey !== null && turn !== null && (!behind || unjudged)
      ? // This delivery may have been behind a head, so search from the first turn.
        [{ destinationKey, orderKey, turn: unjudged ? 0 : turn }]
      : [],
  );
  if (heads.length === 0) return [];
  return sql.rows<Freed>(FREE_NEXT, TURN.arrays(heads), 'free next');
}

/** Records the claims of ended deliveries, then frees the next deliveries. See `freeNext`. */
export async function endTurns(
  sql: Sql,
  ended: readonly (EndedTurn & EndedClaim)[],
): Promise<Freed[]> {
  await noteEndedClaims(sql, ended);
  return freeNext(sql, ended);
}
