import type { ClaimedDelivery } from '../../../contract/claims.ts';
import type { Sql } from '../../connection/database.ts';
import { HELD_AGAIN } from '../order/ended-claims.ts';

/** Joins the rows `v` of claims `c` that are still live. */
export const LIVE_CLAIMS = `
  FROM unnest($1::bigint[], $2::bigint[], $3::integer[], $4::integer[])
    AS c(destination_key, event_seq, round, token)
  WHERE v.destination_key = c.destination_key AND v.event_seq = c.event_seq AND v.round = c.round
    AND v.token = c.token`;

/** The parameters of `LIVE_CLAIMS`. */
export function claimColumns(claims: readonly ClaimedDelivery[]): unknown[] {
  return [
    claims.map(({ destination }) => destination.key),
    claims.map(({ eventSeq }) => eventSeq),
    claims.map(({ round }) => round),
    claims.map(({ token }) => token),
  ];
}

/** Gives live claims back unused. Returns the lanes of their deliveries, with their due times. */
export async function releaseAll(
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
