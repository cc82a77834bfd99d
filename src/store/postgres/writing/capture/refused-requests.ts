import type { CapturedRequest } from '../../../../core/http/captured-request.ts';
import { newId } from '../../../../core/ids.ts';
import {
  MOST_REJECTED,
  MOST_REJECTED_BYTES,
  mostPerSecond,
  rejectedBytes,
} from '../../../../core/proof/rejected-limits.ts';
import { proofColumns } from '../../../shared/proof/stored-proof.ts';
import type { Sql } from '../../connection/database.ts';
import { lockRejected } from '../../connection/locks.ts';
import { storable } from '../../connection/storable.ts';
import { BodyColumn } from './body-column.ts';

/** A request that its verdict refuses. */
export interface RefusedRequest {
  request: CapturedRequest;
  endpointKey: number;
  /** The number that it took among events. */
  seq: number;
}

const SECOND_MS = 1000;

/** When requests of endpoints $1 were received, between $2 and $3. */
export const TIMES = `
  SELECT r.endpoint_key AS key, r.received_at AS at
  FROM unnest($1::bigint[], $2::bigint[], $3::bigint[]) AS k(key, first, last)
  JOIN rejected_requests r ON r.endpoint_key = k.key AND r.received_at BETWEEN k.first AND k.last`;

const INSERT = `
  INSERT INTO rejected_requests (id, endpoint_key, method, path, query, headers, content_type,
    provider, event_type, source_ip, received_at, proof, size, event_seq, body)
  SELECT r.id, r.endpoint_key, r.method, r.path, r.query, r.headers, r.content_type, r.provider,
    r.event_type, r.source_ip, r.received_at, r.proof, r.size, r.event_seq,
    substring($13::bytea FROM r.first FOR r.bytes)
  FROM unnest($1::text[], $2::bigint[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[],
    $8::text[], $9::text[], $10::text[], $11::bigint[], $12::text[], $14::integer[],
    $15::integer[], $16::integer[], $17::bigint[])
    AS r(id, endpoint_key, method, path, query, headers, content_type, provider, event_type,
      source_ip, received_at, proof, first, bytes, size, event_seq)`;

/** The oldest requests of endpoints $1, beyond the limits. Their sizes come from the index. */
export const EXCESS = `
  SELECT q.seq FROM (
    SELECT o.seq, row_number() OVER w AS place, sum(o.size) OVER w AS bytes
    FROM rejected_requests o WHERE o.endpoint_key = ANY($1)
    WINDOW w AS (PARTITION BY o.endpoint_key ORDER BY o.received_at DESC, o.seq DESC)) q
  WHERE q.place > ${MOST_REJECTED} OR q.bytes > ${MOST_REJECTED_BYTES}`;

/** Leaves out those that another transaction accepts now: it may wait for this one. */
const DELETE = `
  DELETE FROM rejected_requests WHERE seq IN (
    SELECT seq FROM rejected_requests WHERE seq = ANY($1) FOR UPDATE SKIP LOCKED)`;

/**
 * Stores refused requests within the limits, which hold over all nodes: one transaction at
 * a time adds to an endpoint's. The lock is held only during the commit, and each node asks
 * for it only as often as the limit for a second allows (`Verdict.refused`). Captures that
 * aren't refused don't take it.
 */
export async function storeRefused(sql: Sql, refused: readonly RefusedRequest[]): Promise<void> {
  if (refused.length === 0) return;
  const keys = [...new Set(refused.map(({ endpointKey }) => endpointKey))];
  await lockRejected(sql, keys);
  const stored = await withinSeconds(sql, keys, refused);
  if (stored.length === 0) return;
  const requests = stored.map(({ request }) => request);
  const headers = requests.map(({ rawHeaders }) => JSON.stringify(rawHeaders));
  const bodies = new BodyColumn();
  for (const { body } of requests) bodies.add(body);
  await sql.run(
    INSERT,
    [
      requests.map(({ receivedAt }) => newId('rej', receivedAt)),
      stored.map(({ endpointKey }) => endpointKey),
      requests.map(({ method }) => storable(method)),
      requests.map(({ path }) => storable(path)),
      requests.map(({ query }) => storable(query)),
      headers,
      requests.map(({ contentType }) => storable(contentType)),
      requests.map(({ provider }) => storable(provider)),
      requests.map(({ eventType }) => storable(eventType)),
      requests.map(({ sourceIp }) => sourceIp),
      requests.map(({ receivedAt }) => receivedAt),
      requests.map(({ verdict }) => proofColumns(verdict?.verification ?? null).proof),
      bodies.value(),
      bodies.firsts,
      bodies.sizes,
      requests.map((request, i) => rejectedBytes({ ...request, headers: headers[i] as string })),
      stored.map(({ seq }) => seq),
    ],
    'append rejected',
  );
  const excess = await sql.rows<{ seq: number }>(EXCESS, [keys], 'excess of rejected');
  if (excess.length > 0) await sql.run(DELETE, [excess.map(({ seq }) => seq)], 'trim rejected');
}

/** Those of the requests that leave each second as many as it may have. */
async function withinSeconds(
  sql: Sql,
  keys: readonly number[],
  refused: readonly RefusedRequest[],
): Promise<RefusedRequest[]> {
  const spans = keys.map((key) => {
    const own = refused.filter(({ endpointKey }) => endpointKey === key);
    const times = own.map(({ request }) => request.receivedAt);
    return { first: Math.min(...times) - SECOND_MS, last: Math.max(...times) + SECOND_MS };
  });
  const rows = await sql.rows<{ key: number; at: number }>(
    TIMES,
    [keys, spans.map(({ first }) => first), spans.map(({ last }) => last)],
    'times of rejected',
  );
  return refused.filter(({ endpointKey: key, request: { receivedAt: at, verdict } }) => {
    const near = rows.filter((row) => row.key === key && Math.abs(row.at - at) < SECOND_MS);
    if (near.length >= mostPerSecond(verdict?.verification ?? null)) return false;
    rows.push({ key, at });
    return true;
  });
}
