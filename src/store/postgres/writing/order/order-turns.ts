import type { OrderKey } from '../../../../core/rules/verdict.ts';
import type { Sql } from '../../connection/database.ts';
import { lockOrderBuckets } from '../../connection/locks.ts';

/*
 * Turns. The open deliveries of one order key go one after the other, by their turn: a
 * number that the key's lock and `nextval` make greater than all that the key had. The
 * first of them is the head. The others are behind, which keeps them out of the queue's
 * index. A transaction that opens or ends deliveries of a key first takes the key's lock,
 * and reads the key's rows in a later statement. Thus it sees all that earlier holders
 * have committed, and a key never has two heads. The transaction that ends the head makes
 * the next one the head.
 */

/** Open deliveries that a transaction has made heads: their destination and due time. */
export interface Freed {
  destinationKey: number;
  orderKey: string;
  dueAt: number;
}

/** A delivery that has ended. `turn` is null where it had no order. */
export interface EndedTurn {
  destinationKey: number;
  orderKey: string | null;
  turn: number | null;
  behind: boolean;
}

/**
 * Those of the order keys $2 of destinations $1 that have open deliveries. The newest of a
 * key is found at once, however many ended ones a snapshot keeps before it.
 */
export const OPEN_ORDERS = `
  SELECT k.destination_key AS "destinationKey", k.order_key AS key
  FROM unnest($1::bigint[], $2::text[]) AS k(destination_key, order_key)
  CROSS JOIN LATERAL (
    SELECT 1 FROM open_deliveries v
    WHERE v.destination_key = k.destination_key AND v.order_key = k.order_key
    ORDER BY v.turn DESC LIMIT 1) v`;

/** Makes the first open delivery after the turns $3 of the order keys $2 the head. */
export const FREE_NEXT = `
  UPDATE open_deliveries v SET behind = false
  FROM unnest($1::bigint[], $2::text[], $3::bigint[]) AS k(destination_key, order_key, turn)
    CROSS JOIN LATERAL (
      SELECT event_seq, round FROM open_deliveries o
      WHERE o.destination_key = k.destination_key AND o.order_key = k.order_key
        AND o.turn > k.turn
      ORDER BY o.turn LIMIT 1) n
  WHERE v.destination_key = k.destination_key AND v.event_seq = n.event_seq
    AND v.round = n.round
  RETURNING v.destination_key AS "destinationKey", v.order_key AS "orderKey",
    v.next_attempt_at AS "dueAt"`;

/** Text that names an order key among those of all destinations. */
export function nameOf({ destinationKey, key }: OrderKey): string {
  return `${destinationKey} ${key}`;
}

/** Takes the locks of order keys, until the transaction ends. Keys may repeat. */
export async function lockOrders(sql: Sql, orders: readonly OrderKey[]): Promise<void> {
  if (orders.length > 0) await lockOrderBuckets(sql, orders.map(nameOf));
}

/** The order keys of open deliveries that one transaction makes. */
export class OpenOrders {
  readonly #taken: Set<string>;

  private constructor(taken: Set<string>) {
    this.#taken = taken;
  }

  static none(): OpenOrders {
    return new OpenOrders(new Set());
  }

  /** @param orders keys that this transaction has locked, in an earlier statement */
  static async read(sql: Sql, orders: readonly OrderKey[]): Promise<OpenOrders> {
    if (orders.length === 0) return OpenOrders.none();
    const distinct = [...new Map(orders.map((order) => [nameOf(order), order])).values()];
    const rows = await sql.rows<{ destinationKey: number; key: string }>(
      OPEN_ORDERS,
      [distinct.map(({ destinationKey }) => destinationKey), distinct.map(({ key }) => key)],
      'open orders',
    );
    return new OpenOrders(new Set(rows.map(nameOf)));
  }

  /** Adds one more delivery of a key. Returns whether it is behind an open one. */
  isBehind(order: OrderKey): boolean {
    const name = nameOf(order);
    if (this.#taken.has(name)) return true;
    this.#taken.add(name);
    return false;
  }
}

/**
 * Lets the next delivery of each order key go whose head has ended. Their keys are locked.
 * Turns only grow, so the search starts after those that have ended: a snapshot elsewhere
 * may keep many ended rows in the index.
 */
export async function freeNext(sql: Sql, ended: readonly EndedTurn[]): Promise<Freed[]> {
  const heads = ended.filter(({ turn, behind }) => turn !== null && !behind);
  if (heads.length === 0) return [];
  return sql.rows<Freed>(
    FREE_NEXT,
    [
      heads.map(({ destinationKey }) => destinationKey),
      heads.map(({ orderKey }) => orderKey),
      heads.map(({ turn }) => turn),
    ],
    'free next',
  );
}
