import type { Database, Statement } from 'better-sqlite3';
import type { ListedDelivery } from '../../../../core/model.ts';
import type { DeliveryFilter, DeliveryWindow } from '../../../contract/deliveries.ts';
import { stateCode } from '../../../shared/codes.ts';
import { dropsOf, filteredDelivery } from '../../../shared/filtered-events.ts';
import { createdAtOf } from '../../../shared/listed-delivery.ts';
import { type DeliveryRow, DeliveryRows, OPEN_COLUMNS, SETTLED_COLUMNS } from './delivery-rows.ts';

/** Sequence numbers that one step looks at: it must not keep other reads waiting. */
const STEP_SEQS = 20_000;

interface Page {
  deliveries: ListedDelivery[];
  total: number;
}

/** Deliveries of the events of one span, all of one endpoint. */
interface Span {
  /** How many there are. */
  count(from: number, to: number): number;
  /** The newest of them, in order. */
  newest(from: number, to: number, limit: number): ListedDelivery[];
}

/** See `DeliveryStore.list`. */
export function* listDeliveries(
  db: Database,
  endpointKey: number,
  filter: DeliveryFilter,
  { offset, limit, now }: DeliveryWindow,
): Generator<void, Page> {
  const only = destinationKeyOf(db, endpointKey, filter.destinationId);
  const seqs = db
    .prepare<[number], { first: number | null; last: number | null }>(
      'SELECT min(seq) AS first, max(seq) AS last FROM events WHERE endpoint_key = ?',
    )
    .get(endpointKey);
  const page: Page = { deliveries: [], total: 0 };
  if (only === null || !seqs || seqs.first === null || seqs.last === null) return page;
  const span =
    filter.state === 'filtered'
      ? filteredSpan(db, endpointKey, only)
      : deliveredSpan(db, endpointKey, filter.state, only, now);
  for (let to = seqs.last; to >= seqs.first; to -= STEP_SEQS) {
    const from = Math.max(seqs.first, to - STEP_SEQS + 1);
    const before = page.total;
    page.total += span.count(from, to);
    const missing = limit - page.deliveries.length;
    if (missing > 0 && page.total > offset) {
      const skipped = Math.max(0, offset - before);
      page.deliveries.push(...span.newest(from, to, skipped + missing).slice(skipped));
    }
    yield;
  }
  return page;
}

/** The key of the only destination; undefined for all; null where there is no such destination. */
function destinationKeyOf(
  db: Database,
  endpointKey: number,
  id: string | undefined,
): number | null | undefined {
  if (id === undefined) return undefined;
  const key = db
    .prepare<[string, number], number>(
      'SELECT key FROM destinations WHERE id = ? AND endpoint_key = ?',
    )
    .pluck()
    .get(id, endpointKey);
  return key ?? null;
}

function deliveredSpan(
  db: Database,
  endpointKey: number,
  state: Exclude<DeliveryFilter['state'], 'filtered'>,
  only: number | undefined,
  now: number,
): Span {
  const rows = new DeliveryRows(db);
  const ofDestination = only === undefined ? '' : 'AND v.destination_key = @only';
  const ofState = state === undefined ? '' : `AND v.state = ${stateCode(state)}`;
  const inSpan = `v.event_seq BETWEEN @from AND @to ${ofDestination}`;
  const open = `FROM destinations d
    CROSS JOIN open_deliveries v ON v.destination_key = d.key
    WHERE d.endpoint_key = @endpointKey AND ${inSpan}`;
  const settled = `FROM deliveries v CROSS JOIN destinations d ON d.key = v.destination_key
    WHERE v.endpoint_key = @endpointKey AND ${inSpan} ${ofState}`;
  const tables: { columns: string; from: string }[] = [];
  if (state === undefined || state === 'pending')
    tables.push({ columns: OPEN_COLUMNS, from: open });
  if (state !== 'pending') tables.push({ columns: SETTLED_COLUMNS, from: settled });
  type Values = { endpointKey: number; from: number; to: number; only?: number; limit?: number };
  const counts = tables.map(({ from }) =>
    db.prepare<[Values], number>(`SELECT count(*) ${from}`).pluck(),
  );
  const newest = tables.map(
    ({ columns, from }): Statement<[Values], DeliveryRow> =>
      db.prepare(`
        SELECT ${columns} ${from}
        ORDER BY v.event_seq DESC, v.round DESC, v.destination_key LIMIT @limit`),
  );
  const values = { endpointKey, ...(only !== undefined && { only }) };
  return {
    count: (from, to) =>
      counts.reduce((sum, count) => sum + (count.get({ ...values, from, to }) as number), 0),
    newest: (from, to, limit) =>
      newest
        .flatMap((statement) => statement.all({ ...values, from, to, limit }))
        .sort((a, b) => b.eventSeq - a.eventSeq || b.round - a.round)
        .slice(0, limit)
        .flatMap((row) => rows.listed(row, now) ?? []),
  };
}

function filteredSpan(db: Database, endpointKey: number, only: number | undefined): Span {
  const dropped = db.prepare<[number, number, number], { dropped: string; eventId: string }>(`
    SELECT f.dropped, e.id AS eventId FROM filtered_events f
    JOIN events e ON e.endpoint_key = f.endpoint_key AND e.seq = f.event_seq
    WHERE f.endpoint_key = ? AND f.event_seq BETWEEN ? AND ? ORDER BY f.event_seq DESC`);
  const destination = db.prepare<[number], { id: string; url: string }>(
    'SELECT id, url FROM destinations WHERE key = ?',
  );
  function* all(from: number, to: number) {
    for (const row of dropped.iterate(endpointKey, from, to)) {
      for (const drop of dropsOf(row.dropped)) {
        if (only === undefined || drop.destinationKey === only) yield { ...row, drop };
      }
    }
  }
  return {
    count: (from, to) => [...all(from, to)].length,
    newest: (from, to, limit) =>
      [...all(from, to)].slice(0, limit).flatMap(({ eventId, drop }) => {
        const found = destination.get(drop.destinationKey);
        if (!found) return [];
        const delivery = filteredDelivery(drop, found);
        return [{ ...delivery, eventId, createdAt: createdAtOf(drop.id), error: null }];
      }),
  };
}
