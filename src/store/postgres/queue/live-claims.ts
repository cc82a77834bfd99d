import type { ClaimedDelivery } from '../../contract/claims.ts';
import { DELIVERY_KEY } from '../../shared/deliveries/delivery-columns.ts';
import type { Sql } from '../connection/database.ts';
import { HELD_AGAIN } from './ended-claims.ts';

const CLAIM = DELIVERY_KEY.and({ token: 'integer' });

/** Returns SQL that joins rows `v` with live claims `c`, whose parameters start at `first`. */
export const liveClaims = (first: number): string => `
  FROM ${CLAIM.unnest('c', first)}
  WHERE v.destination_key = c.destination_key AND v.event_seq = c.event_seq AND v.round = c.round
    AND v.token = c.token`;

/** Returns the parameters of `liveClaims`. */
export function claimArrays(claims: readonly ClaimedDelivery[]): unknown[] {
  return CLAIM.arrays(
    claims.map(({ destination, ...claim }) => ({ ...claim, destinationKey: destination.key })),
  );
}

/** Releases live claims without an attempt. Returns their lanes and due times. */
export async function releaseAll(
  sql: Sql,
  claims: readonly ClaimedDelivery[],
): Promise<{ key: number; dueAt: number }[]> {
  if (claims.length === 0) return [];
  return sql.rows(
    `UPDATE open_deliveries v SET lease_until = ${HELD_AGAIN}, held = ${HELD_AGAIN} > 0,
       token = v.token + 1 ${liveClaims(1)}
     RETURNING v.destination_key AS key, v.next_attempt_at AS "dueAt"`,
    claimArrays(claims),
    'release',
  );
}
