import type { OrderKey } from '../../../core/rules/verdict.ts';
import type { ClaimedDelivery } from '../../contract/claims.ts';
import { Columns } from '../../shared/columns.ts';
import type { Sql } from '../connection/database.ts';

/*
 * A delivery may end while the attempt of its claim is running. A person may cancel it, or a replay
 * may supersede it. The delivery's order key then waits for that attempt.
 *
 * A row of `ended_claims` represents the running attempt. The row stays until the claiming node
 * settles or releases the claim, or until the lease ends. Until then the head of the order key has
 * the lease of the ended claim, so only a retry by hand can claim the head. A transaction that
 * makes or frees a head locks the order key before it reads the key's ended claims.
 */

/** A delivery that ended before its claim was settled. */
export interface EndedClaim {
  id: string;
  destinationKey: number;
  orderKey: string | null;
  token: number;
  leaseUntil: number;
  held: boolean;
}

export const ORDER = new Columns({ destinationKey: 'bigint', orderKey: 'text' });
const CLAIM_NAME = new Columns({ deliveryId: 'text', token: 'integer' });
const ENDED_CLAIM = CLAIM_NAME.and({
  destinationKey: 'bigint',
  orderKey: 'text',
  leaseUntil: 'bigint',
});

/**
 * The head of an order key. `heldUntil` is when the lease of an ended claim ends, Unix ms, or 0.
 */
interface Head {
  destinationKey: number;
  orderKey: string;
  dueAt: number;
  heldUntil: number;
}

/**
 * Returns SQL for the end of the longest lease of the order key's ended claims, or 0. `row` has the
 * key.
 */
export const heldUntil = (row: string): string => `
  coalesce((SELECT max(c.lease_until) FROM ended_claims c
    WHERE c.destination_key = ${row}.destination_key AND c.order_key = ${row}.order_key), 0)`;

/**
 * SQL for the lease of a row `v` after its claim has ended. A head gets the lease of ended claims.
 */
export const HELD_AGAIN = `
  CASE WHEN v.order_key IS NULL OR v.behind THEN 0 ELSE ${heldUntil('v')} END`;

/** Updates the leases of heads from their ended claims. Leaves claimed heads alone. */
const HOLD = `
  UPDATE open_deliveries v SET lease_until = n.held_until, held = n.held_until > 0
  FROM ${ORDER.unnest('k')}
    CROSS JOIN LATERAL (
      SELECT event_seq, round, ${heldUntil('k')} AS held_until FROM open_deliveries o
      WHERE o.destination_key = k.destination_key AND o.order_key = k.order_key
      ORDER BY o.turn LIMIT 1) n
  WHERE v.destination_key = k.destination_key AND v.event_seq = n.event_seq
    AND v.round = n.round AND NOT v.behind AND (v.held OR v.lease_until = 0)
    AND v.lease_until <> n.held_until
  RETURNING v.destination_key AS "destinationKey", v.order_key AS "orderKey",
    v.next_attempt_at AS "dueAt", v.lease_until AS "heldUntil"`;

/** SQL condition: the row is one of the claims in the parameters from `first` on. */
const isNamed = (first: number): string =>
  `(${CLAIM_NAME.names}) IN (SELECT * FROM ${CLAIM_NAME.unnest('n', first)})`;

export function isOrdered(claim: ClaimedDelivery): boolean {
  return claim.orderKey !== null;
}

/** Returns the order keys of those claims that have one. */
export function ordersOfClaims(claims: readonly ClaimedDelivery[]): OrderKey[] {
  return claims.flatMap(({ destination, orderKey }) =>
    orderKey === null ? [] : [{ destinationKey: destination.key, key: orderKey }],
  );
}

/**
 * Records the claims of ended deliveries that have an order key. The caller has locked these keys.
 */
export async function noteEndedClaims(sql: Sql, ended: readonly EndedClaim[]): Promise<void> {
  const claimed = ended.flatMap(({ id: deliveryId, orderKey, ...claim }) =>
    orderKey !== null && claim.leaseUntil > 0 && !claim.held
      ? [{ ...claim, deliveryId, orderKey }]
      : [],
  );
  if (claimed.length === 0) return;
  await sql.run(
    `INSERT INTO ended_claims (${ENDED_CLAIM.names})
     SELECT * FROM ${ENDED_CLAIM.unnest('c')}`,
    ENDED_CLAIM.arrays(claimed),
    'note ended claims',
  );
  // The head may still exist, because a person may have retried a delivery behind it.
  await hold(
    sql,
    claimed.map(({ destinationKey, orderKey }) => ({ destinationKey, key: orderKey })),
  );
}

/**
 * Deletes ended claims whose attempts are over. Returns the heads that this frees. The caller has
 * locked the order keys.
 */
export async function forgetEndedClaims(
  sql: Sql,
  claims: readonly ClaimedDelivery[],
): Promise<Head[]> {
  if (claims.length === 0) return [];
  const forgotten = await sql.run(
    `DELETE FROM ended_claims WHERE ${isNamed(1)}`,
    namesOf(claims),
    'forget ended claims',
  );
  if (forgotten === 0) return [];
  const heads = await hold(sql, ordersOfClaims(claims));
  return heads.filter((head) => head.heldUntil === 0);
}

/** Renews the leases of ended claims. The caller has locked their order keys. */
export async function renewEndedClaims(
  sql: Sql,
  claims: readonly ClaimedDelivery[],
  leaseUntil: number,
): Promise<void> {
  const renewed = await sql.run(
    `UPDATE ended_claims SET lease_until = $1 WHERE ${isNamed(2)}`,
    [leaseUntil, ...namesOf(claims)],
    'renew ended claims',
  );
  if (renewed > 0) await hold(sql, ordersOfClaims(claims));
}

function hold(sql: Sql, orders: readonly OrderKey[]): Promise<Head[]> {
  return sql.rows<Head>(HOLD, orderArrays(orders), 'hold heads');
}

/** Returns the parameters of `ORDER`. */
export function orderArrays(orders: readonly OrderKey[]): unknown[] {
  return ORDER.arrays(
    orders.map(({ destinationKey, key: orderKey }) => ({ destinationKey, orderKey })),
  );
}

function namesOf(claims: readonly ClaimedDelivery[]): unknown[] {
  return CLAIM_NAME.arrays(claims.map(({ id: deliveryId, token }) => ({ deliveryId, token })));
}
