import type { ListedDelivery } from '../../../core/model.ts';
import type { DeliveryFilter, DeliveryWindow } from '../../contract/deliveries.ts';
import { stateCode } from '../../shared/codes.ts';
import { listedDrop } from '../../shared/deliveries/listed-delivery.ts';
import { dropsOf } from '../../shared/events/filtered-events.ts';
import type { Sql } from '../connection/database.ts';
import { storable } from '../connection/storable.ts';
import {
  LISTED,
  type ListedRow,
  listedRowOf,
  OPEN_COLUMNS,
  SETTLED_COLUMNS,
} from './delivery-rows.ts';

/** At most this many events are in one statement, so that an aborted list ends soon. */
const STEP_EVENTS = 20_000;

interface Page {
  deliveries: ListedDelivery[];
  total: number;
}

/** Reads the endpoint's deliveries in a span of event sequence numbers. */
interface Span {
  count(from: number, to: number): Promise<number>;
  /** Returns the newest deliveries in the span, newest first, without the first `skip`. */
  newest(from: number, to: number, limit: number, skip: number): Promise<ListedDelivery[]>;
}

/** See `DeliveryStore.list`. `sql` must read one snapshot. */
export async function listDeliveries(
  sql: Sql,
  endpointKey: number,
  filter: DeliveryFilter,
  { offset, limit, now }: DeliveryWindow,
): Promise<Page> {
  const page: Page = { deliveries: [], total: 0 };
  const only = await destinationKeyOf(sql, endpointKey, filter.destinationId);
  if (only === undefined) return page;
  const span =
    filter.state === 'filtered'
      ? filteredSpan(sql, endpointKey, only)
      : deliveredSpan(sql, endpointKey, filter.state, only, now);
  for await (const { from, to } of spansOf(sql, endpointKey)) {
    const before = page.total;
    page.total += await span.count(from, to);
    const missing = limit - page.deliveries.length;
    if (missing <= 0 || page.total <= offset) continue;
    const skip = Math.max(0, offset - before);
    page.deliveries.push(...(await span.newest(from, to, missing, skip)));
  }
  return page;
}

/** Yields spans of sequence numbers that cover the endpoint's events, newest first. */
async function* spansOf(
  sql: Sql,
  endpointKey: number,
): AsyncGenerator<{ from: number; to: number }> {
  let to = Number.MAX_SAFE_INTEGER;
  for (;;) {
    const [row] = await sql.rows<{ from: number | null }>(
      `SELECT min(seq) AS from FROM (
         SELECT seq FROM events WHERE endpoint_key = $1 AND seq <= $2
         ORDER BY seq DESC LIMIT $3) q`,
      [endpointKey, to, STEP_EVENTS],
    );
    const from = row?.from ?? null;
    if (from === null) return;
    yield { from, to };
    to = from - 1;
  }
}

/**
 * Returns the key of the destination. Returns null without a filter, undefined if it doesn't exist.
 */
async function destinationKeyOf(
  sql: Sql,
  endpointKey: number,
  id: string | undefined,
): Promise<number | null | undefined> {
  if (id === undefined) return null;
  const [row] = await sql.rows<{ key: number }>(
    'SELECT key FROM destinations WHERE id = $1 AND endpoint_key = $2',
    [storable(id), endpointKey],
  );
  return row?.key;
}

function deliveredSpan(
  sql: Sql,
  endpointKey: number,
  state: Exclude<DeliveryFilter['state'], 'filtered'>,
  only: number | null,
  now: number,
): Span {
  const inSpan = `v.event_seq BETWEEN $2 AND $3${only === null ? '' : ' AND v.destination_key = $4'}`;
  const ofState = state === undefined ? '' : ` AND v.state = ${stateCode(state)}`;
  const tables: { columns: string; from: string }[] = [];
  if (state === undefined || state === 'pending') {
    tables.push({
      columns: OPEN_COLUMNS,
      from: `FROM destinations t JOIN open_deliveries v ON v.destination_key = t.key
        WHERE t.endpoint_key = $1 AND ${inSpan}`,
    });
  }
  if (state !== 'pending') {
    tables.push({
      columns: SETTLED_COLUMNS,
      from: `FROM deliveries v WHERE v.endpoint_key = $1 AND ${inSpan}${ofState}`,
    });
  }
  const values = (from: number, to: number) => [
    endpointKey,
    from,
    to,
    ...(only === null ? [] : [only]),
  ];
  const ORDER = 'ORDER BY event_seq DESC, round DESC, destination_key';
  return {
    async count(from, to) {
      const counts = tables.map((table) => `(SELECT count(*) ${table.from})`);
      const [row] = await sql.rows<{ count: number }>(
        `SELECT ${counts.join(' + ')} AS count`,
        values(from, to),
      );
      return row?.count ?? 0;
    },
    async newest(from, to, limit, skip) {
      const most = `LIMIT ${Math.trunc(limit + skip)}`;
      const window = `LIMIT ${Math.trunc(limit)} OFFSET ${Math.trunc(skip)}`;
      const parts = tables.map(
        (table) => `(SELECT ${table.columns} ${table.from} ${ORDER} ${most})`,
      );
      const rows = await sql.rows<ListedRow>(
        `${LISTED[0]}SELECT * FROM (${parts.join(' UNION ALL ')}) u ${ORDER} ${window}${LISTED[1]}
         ORDER BY v.event_seq DESC, v.round DESC, v.destination_key`,
        values(from, to),
      );
      return rows.map((row) => listedRowOf(row, now));
    },
  };
}

function filteredSpan(sql: Sql, endpointKey: number, only: number | null): Span {
  const all = async (from: number, to: number) => {
    const rows = await sql.rows<{ dropped: string; eventId: string }>(
      `SELECT f.dropped, e.id AS "eventId" FROM filtered_events f
       JOIN events e ON e.endpoint_key = f.endpoint_key AND e.seq = f.event_seq
       WHERE f.endpoint_key = $1 AND f.event_seq BETWEEN $2 AND $3 ORDER BY f.event_seq DESC`,
      [endpointKey, from, to],
    );
    return rows.flatMap(({ dropped, eventId }) =>
      dropsOf(dropped).flatMap((drop) =>
        only === null || drop.destinationKey === only ? [{ eventId, drop }] : [],
      ),
    );
  };
  return {
    count: async (from, to) => (await all(from, to)).length,
    async newest(from, to, limit, skip) {
      const drops = (await all(from, to)).slice(skip, skip + limit);
      const destinations = await sql.rows<{ key: number; id: string; url: string }>(
        'SELECT key, id, url FROM destinations WHERE key = ANY($1)',
        [drops.map(({ drop }) => drop.destinationKey)],
      );
      const byKey = new Map(destinations.map((destination) => [destination.key, destination]));
      return drops.flatMap(({ eventId, drop }) => {
        const found = byKey.get(drop.destinationKey);
        return found ? [listedDrop(drop, eventId, found)] : [];
      });
    },
  };
}
