import type { Database, Statement } from 'better-sqlite3';
import type { ListedDelivery } from '../../../core/model.ts';
import type { DeliveryFilter, DeliveryWindow } from '../../contract/deliveries.ts';
import { stateCode } from '../../shared/codes.ts';
import { listedDrop } from '../../shared/deliveries/listed-delivery.ts';
import { dropsOf } from '../../shared/events/filtered-events.ts';
import { DeliveryRows, OPEN_COLUMNS, type PlacedRow, SETTLED_COLUMNS } from './delivery-rows.ts';
import { ofSettled } from './settled-deliveries.ts';

/** The largest range of sequence numbers in a step. Other reads wait during a step. */
const STEP_SEQS = 20_000;
/** The largest number of deliveries in a step, if each event has one for each destination. */
const STEP_ROWS = 50_000;
/** The number of deliveries that a step completes. Each needs two lookups. */
const STEP_LISTED = 100;

interface Page {
  deliveries: ListedDelivery[];
  total: number;
}

/** The deliveries of an endpoint's events between two sequence numbers. */
interface Span {
  count(from: number, to: number): number;
  /** Returns functions that each read a delivery, the newest first, without the first `skip`. */
  newest(from: number, to: number, limit: number, skip: number): (() => ListedDelivery | null)[];
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
  const stepSeqs = Math.max(
    1,
    Math.min(STEP_SEQS, Math.floor(STEP_ROWS / destinationsOf(db, endpointKey))),
  );
  for (let to = seqs.last; to >= seqs.first; to -= stepSeqs) {
    const from = Math.max(seqs.first, to - stepSeqs + 1);
    const before = page.total;
    page.total += span.count(from, to);
    const missing = limit - page.deliveries.length;
    if (missing > 0 && page.total > offset) {
      const skip = Math.max(0, offset - before);
      for (const [i, complete] of span.newest(from, to, missing, skip).entries()) {
        if (i % STEP_LISTED === STEP_LISTED - 1) yield;
        page.deliveries.push(...[complete()].filter((delivery) => delivery !== null));
      }
    }
    yield;
  }
  return page;
}

/** Counts an endpoint's destinations. Includes removed ones, because they have deliveries. */
function destinationsOf(db: Database, endpointKey: number): number {
  const count = db
    .prepare<[number], number>('SELECT count(*) FROM destinations WHERE endpoint_key = ?')
    .pluck();
  return Math.max(1, count.get(endpointKey) as number);
}

/** Returns the key of the destination to list: undefined for all, null for an unknown one. */
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

interface Values {
  endpointKey: number;
  from: number;
  to: number;
  only?: number;
  limit?: number;
  skip?: number;
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
  const settled = (columns: string) =>
    ofSettled(
      (table) => `
        SELECT ${columns} FROM ${table} v CROSS JOIN destinations d ON d.key = v.destination_key
        WHERE v.endpoint_key = @endpointKey AND ${inSpan} ${ofState}`,
    );
  const select = (ofOpen: string, ofEnded: string) => {
    const parts: string[] = [];
    if (state === undefined || state === 'pending') parts.push(`SELECT ${ofOpen} ${open}`);
    if (state !== 'pending') parts.push(settled(ofEnded));
    return parts.join(' UNION ALL ');
  };
  const count = select('count(*) AS n', 'count(*) AS n');
  const counts = db.prepare<[Values], number>(`SELECT sum(n) FROM (${count})`).pluck();
  const newest: Statement<[Values], PlacedRow> = db.prepare(`
    ${select(OPEN_COLUMNS, SETTLED_COLUMNS)} ORDER BY eventSeq DESC, round DESC, destinationKey LIMIT @limit OFFSET @skip`);
  const values = { endpointKey, ...(only !== undefined && { only }) };
  return {
    count: (from, to) => counts.get({ ...values, from, to }) as number,
    newest: (from, to, limit, skip) =>
      newest.all({ ...values, from, to, limit, skip }).map((row) => () => rows.listed(row, now)),
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
    newest: (from, to, limit, skip) =>
      [...all(from, to)].slice(skip, skip + limit).map(({ eventId, drop }) => () => {
        const found = destination.get(drop.destinationKey);
        return found ? listedDrop(drop, eventId, found) : null;
      }),
  };
}
