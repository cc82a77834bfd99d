import type { CapturedRequest } from '../../../core/http/captured-request.ts';
import {
  MOST_REJECTED,
  MOST_REJECTED_BYTES,
  mostPerSecond,
} from '../../../core/proof/rejected-limits.ts';
import { Columns, type RowOf } from '../../shared/columns.ts';
import { NEW_REJECTED, newRejectedRow } from '../../shared/rejected/rejected-rows.ts';
import { BODY_OF_ROW, BODY_PART, BodyColumn } from '../connection/body-column.ts';
import type { Sql } from '../connection/database.ts';
import { lockRejected } from '../connection/locks.ts';
import { storableRow } from '../connection/storable.ts';

/** A request that its verdict refuses. */
export interface RefusedRequest {
  request: CapturedRequest;
  endpointKey: number;
  /** The request's sequence number. Events share this sequence. */
  seq: number;
}

const SECOND_MS = 1000;

const SPAN = new Columns({ key: 'bigint', first: 'bigint', last: 'bigint' });

/** Selects the times of rejected requests in one span of time per endpoint. */
export const TIMES = `
  SELECT r.endpoint_key AS key, r.received_at AS at
  FROM ${SPAN.unnest('k')}
  JOIN rejected_requests r ON r.endpoint_key = k.key AND r.received_at BETWEEN k.first AND k.last`;

const REFUSED = NEW_REJECTED.and({ eventSeq: 'bigint' });
const REFUSED_ROW = REFUSED.and(BODY_PART);

const INSERT = `
  INSERT INTO rejected_requests (${REFUSED.names}, body)
  SELECT ${REFUSED.names}, ${BODY_OF_ROW} FROM ${REFUSED_ROW.unnest('v', 2)}`;

/** Selects the oldest requests of the endpoints $1 beyond the limits, from the index alone. */
export const EXCESS = `
  SELECT q.seq FROM (
    SELECT o.seq, row_number() OVER w AS place, sum(o.size) OVER w AS bytes
    FROM rejected_requests o WHERE o.endpoint_key = ANY($1)
    WINDOW w AS (PARTITION BY o.endpoint_key ORDER BY o.received_at DESC, o.seq DESC)) q
  WHERE q.place > ${MOST_REJECTED} OR q.bytes > ${MOST_REJECTED_BYTES}`;

/**
 * Deletes requests. Skips a request that another transaction is accepting, because that transaction
 * may wait for this one.
 */
const DELETE = `
  DELETE FROM rejected_requests WHERE seq IN (
    SELECT seq FROM rejected_requests WHERE seq = ANY($1) FOR UPDATE SKIP LOCKED)`;

/**
 * Stores refused requests within limits that all nodes share. So only one transaction at a time
 * adds requests to an endpoint. It keeps that lock only during the commit. A node takes the lock
 * only as often as the limit per second allows (`Verdict.refused`). Other captures don't take it.
 */
export async function storeRejected(sql: Sql, refused: readonly RefusedRequest[]): Promise<void> {
  if (refused.length === 0) return;
  const keys = [...new Set(refused.map(({ endpointKey }) => endpointKey))];
  await lockRejected(sql, keys);
  const stored = await withinSeconds(sql, keys, refused);
  if (stored.length === 0) return;
  const bodies = new BodyColumn();
  const rows = stored.map((one) => refusedRow(one, bodies));
  await sql.run(INSERT, [bodies.value(), ...REFUSED_ROW.arrays(rows)], 'append rejected');
  const excess = await sql.rows<{ seq: number }>(EXCESS, [keys], 'excess of rejected');
  if (excess.length > 0) await sql.run(DELETE, [excess.map(({ seq }) => seq)], 'trim rejected');
}

function refusedRow(
  { request, endpointKey, seq }: RefusedRequest,
  bodies: BodyColumn,
): RowOf<typeof REFUSED_ROW> {
  const headers = JSON.stringify(request.rawHeaders);
  return {
    ...storableRow(newRejectedRow({ ...request, headers }, endpointKey)),
    ...bodies.add(request.body.bytes),
    eventSeq: seq,
  };
}

/** Returns the requests that are within the limit per second. */
async function withinSeconds(
  sql: Sql,
  keys: readonly number[],
  refused: readonly RefusedRequest[],
): Promise<RefusedRequest[]> {
  const spans = keys.map((key) => {
    const own = refused.filter(({ endpointKey }) => endpointKey === key);
    const times = own.map(({ request }) => request.receivedAt);
    return { key, first: Math.min(...times) - SECOND_MS, last: Math.max(...times) + SECOND_MS };
  });
  const rows = await sql.rows<{ key: number; at: number }>(
    TIMES,
    SPAN.arrays(spans),
    'times of rejected',
  );
  return refused.filter(({ endpointKey: key, request: { receivedAt: at, verdict } }) => {
    const near = rows.filter((row) => row.key === key && Math.abs(row.at - at) < SECOND_MS);
    if (near.length >= mostPerSecond(verdict?.verification ?? null)) return false;
    rows.push({ key, at });
    return true;
  });
}
