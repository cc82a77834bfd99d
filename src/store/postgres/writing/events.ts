import type { CapturedRequest } from '../../../core/http/captured-request.ts';
import type { Attempt, Delivery, EventSummary } from '../../../core/model.ts';
import type { JudgingSettings } from '../../../core/rules/verdict.ts';
import type { ClaimTerms } from '../../contract/claims.ts';
import type {
  AppendBatchResult,
  AppendResult,
  EventContent,
  EventFilter,
  EventPage,
  EventStore,
  HourWindow,
  ListWindow,
  RuleTrial,
  TriedEvent,
} from '../../contract/events.ts';
import type { Scope } from '../../contract/scope.ts';
import { statusCode } from '../../shared/codes.ts';
import { CountChanges } from '../../shared/count-changes.ts';
import {
  dropsOf,
  filteredDelivery,
  isStale,
  passedBy,
  withDrops,
} from '../../shared/filtered-events.ts';
import { Handover } from '../../shared/handover.ts';
import { takeNumbers } from '../cluster/tickets.ts';
import type { Database, Sql } from '../connection/database.ts';
import { GATE_SQL } from '../connection/locks.ts';
import { storable } from '../connection/storable.ts';
import { attemptActivity, eventActivity } from '../reading/activity.ts';
import {
  ATTEMPT_COLUMNS,
  ATTEMPT_TABLES,
  type AttemptRow,
  attemptOf,
} from '../reading/attempt-rows.ts';
import {
  DELIVERY_COLUMNS,
  type DeliveryRow,
  deliveryOf,
  OPEN_COLUMNS,
  OPEN_OF_EVENT,
  SETTLED_COLUMNS,
} from '../reading/delivery-rows.ts';
import { SUMMARY_COLUMNS, type SummaryRow, summaryOf } from '../reading/event-summary.ts';
import type { Indexer } from '../reading/indexer.ts';

import type { Searches } from '../reading/search.ts';
import { filtersOf } from './destination-rules.ts';
import { DropColumns } from './drop-columns.ts';
import { ENDPOINT_COLUMNS, type EndpointRow, endpointOf, responseOf } from './endpoints.ts';
import { applyCounts } from './event-counts.ts';
import { removeEvent } from './event-deletion.ts';
import { lockOrders, OpenOrders } from './order/order-turns.ts';
import { type DeliveryColumns, deliveryColumns, INSERT_DELIVERIES, type Rounds } from './rounds.ts';

const RECEIVED = statusCode('received');

/** Inserts events, contents and deliveries. All bodies go as one value, which the server splits. */
const INSERT_BATCH = `
  WITH contents AS (
    INSERT INTO event_contents (seq, endpoint_key, query, headers, body)
    SELECT c.seq, c.endpoint_key, c.query, c.headers, substring($5::bytea FROM c.first FOR c.size)
    FROM unnest($1::bigint[], $2::bigint[], $3::text[], $4::text[], $6::integer[], $7::integer[])
      AS c(seq, endpoint_key, query, headers, first, size)
  ), events AS (
    INSERT INTO events (endpoint_key, seq, id, status, round, method, path, content_type, size,
      provider, event_type, source_ip, received_at, open, edited_from)
    SELECT e.endpoint_key, e.seq, e.id, ${RECEIVED}, 1, e.method, e.path, e.content_type, e.size,
      e.provider, e.event_type, e.source_ip, e.received_at, e.open, e.edited_from
    FROM unnest($2::bigint[], $1::bigint[], $8::text[], $9::text[], $10::text[], $11::text[],
      $7::integer[], $12::text[], $13::text[], $14::text[], $15::bigint[], $16::integer[],
      $17::text[])
      AS e(endpoint_key, seq, id, method, path, content_type, size, provider, event_type,
        source_ip, received_at, open, edited_from)
  )
  ${INSERT_DELIVERIES(18)}`;

export class PostgresEvents implements EventStore {
  readonly #db: Database;
  readonly #rounds: Rounds;
  readonly #searches: Searches;
  readonly #indexer: Indexer;

  constructor(db: Database, rounds: Rounds, searches: Searches, indexer: Indexer) {
    this.#db = db;
    this.#rounds = rounds;
    this.#searches = searches;
    this.#indexer = indexer;
  }

  async appendBatch(
    requests: readonly CapturedRequest[],
    terms: ClaimTerms,
  ): Promise<AppendBatchResult> {
    const { opened, ...appended } = await this.#db.transaction((sql) =>
      this.#append(sql, requests, terms),
    );
    this.#rounds.noteOpened(opened);
    this.#indexer.wake();
    return appended;
  }

  async #append(
    sql: Sql,
    requests: readonly CapturedRequest[],
    terms: ClaimTerms,
  ): Promise<AppendBatchResult & { opened: DeliveryColumns }> {
    const handover = new Handover(terms);
    const tokens = [...new Set(requests.map(({ publicToken }) => storable(publicToken)))];
    const seqs = await takeNumbers(sql, 'event_seqs', requests.length, {
      sql: `SELECT ${GATE_SQL} FROM endpoints p WHERE p.public_token = ANY($2)`,
      values: [tokens],
    });
    // The transaction has passed the gates: these rows don't change until the commit.
    const endpoints = await sql.rows<EndpointRow>(
      `SELECT ${ENDPOINT_COLUMNS} FROM endpoints p WHERE p.public_token = ANY($1)`,
      [tokens],
      'endpoints by token',
    );
    const destinations = await this.#rounds.destinations(
      sql,
      endpoints.map(({ key }) => key),
    );
    const stale = endpoints.filter((row) =>
      requests.some(
        ({ publicToken, verdict }) => publicToken === row.publicToken && isStale(verdict, row),
      ),
    );
    const judgeBy = await this.#judgeBy(sql, stale);
    // Requests without an order cost no statement here.
    const orderKeys = requests.flatMap(({ verdict }) => verdict?.orderKeys ?? []);
    await lockOrders(sql, orderKeys);
    const orders = await OpenOrders.read(sql, orderKeys);
    const byToken = new Map(endpoints.map((row) => [row.publicToken, row]));
    const changes = new CountChanges();
    const batch = new Batch();
    const opened = deliveryColumns();
    const drops = new DropColumns();
    const results = requests.map((request, i): AppendResult => {
      const endpoint = byToken.get(request.publicToken);
      if (!endpoint) return { stored: false, reason: 'endpoint_not_found' };
      if (!endpoint.isActive) return { stored: false, reason: 'endpoint_inactive' };
      if (isStale(request.verdict, endpoint)) {
        const filters = judgeBy.get(endpoint.key) as JudgingSettings;
        return { stored: false, reason: 'stale', judgeBy: filters };
      }
      const dropped = request.verdict?.dropped ?? [];
      const targets = passedBy(destinations.get(endpoint.key) ?? [], dropped);
      const event = batch.add(request, endpoint, seqs[i] as number, targets.length);
      changes.add(endpoint.key, 'received', 1);
      drops.add(event, endpoint.key, dropped);
      this.#rounds.open(
        {
          endpointKey: endpoint.key,
          seq: event.seq,
          eventId: event.id,
          round: 1,
          trigger: 'capture',
          now: request.receivedAt,
          size: event.size,
          orderKeys: request.verdict?.orderKeys ?? [],
          jobKey: null,
        },
        targets,
        handover,
        opened,
        orders,
      );
      return {
        stored: true,
        userId: endpoint.userId,
        endpointKey: endpoint.key,
        response: responseOf(endpoint.response),
        event,
      };
    });
    const { claimed, unclaimed } = handover;
    if (batch.isEmpty) return { results, claimed, unclaimed, opened };
    await sql.run(INSERT_BATCH, [...batch.values(), ...Object.values(opened)], 'append');
    await drops.write(sql);
    await applyCounts(sql, changes);
    return { results, claimed, unclaimed, opened };
  }

  /** The filters of now, by endpoint. */
  async #judgeBy(
    sql: Sql,
    endpoints: readonly EndpointRow[],
  ): Promise<Map<number, JudgingSettings>> {
    if (endpoints.length === 0) return new Map();
    const keys = endpoints.map(({ key }) => key);
    const filters = Map.groupBy(await filtersOf(sql, keys), ({ endpointKey }) => endpointKey);
    return new Map(
      endpoints.map(({ key, userId, settingsVersion: version }) => [
        key,
        {
          ...{ userId, version },
          filters: (filters.get(key) ?? []).map(({ endpointKey, ...filter }) => filter),
        },
      ]),
    );
  }

  async find(endpointKey: number, eventId: string): Promise<EventSummary | null> {
    const [row] = await this.#db.rows<SummaryRow>(
      `SELECT ${SUMMARY_COLUMNS} FROM events e JOIN endpoints p ON p.key = e.endpoint_key
       WHERE e.id = $1 AND e.endpoint_key = $2 AND p.deleted_at IS NULL`,
      [storable(eventId), endpointKey],
    );
    return row ? summaryOf(row) : null;
  }

  async findOwned(userId: string, eventId: string) {
    const [endpoint] = await this.#db.rows<EndpointRow>(
      `SELECT ${ENDPOINT_COLUMNS} FROM events e JOIN endpoints p ON p.key = e.endpoint_key
       WHERE e.id = $1 AND p.user_id = $2 AND p.deleted_at IS NULL`,
      [storable(eventId), userId],
    );
    const event = endpoint && (await this.find(endpoint.key, eventId));
    return event ? { endpoint: endpointOf(endpoint), event } : null;
  }

  async content(seq: number): Promise<EventContent | null> {
    const [row] = await this.#db.rows<ContentRow>(
      `SELECT c.query, c.headers, c.body
       FROM event_contents c JOIN endpoints p ON p.key = c.endpoint_key
       WHERE c.seq = $1 AND p.deleted_at IS NULL`,
      [seq],
    );
    return row ? contentOf(row) : null;
  }

  async remove(endpointKey: number, eventId: string): Promise<{ freed: Set<number> } | null> {
    const freed = await this.#db.transaction((sql) =>
      removeEvent(sql, this.#rounds, endpointKey, eventId),
    );
    if (freed === null) return null;
    this.#rounds.noteFreed(freed);
    return { freed: new Set(freed.map(({ destinationKey }) => destinationKey)) };
  }

  async deliveries(seq: number, now: number): Promise<Delivery[]> {
    return withDrops(await this.#delivered(seq, now), await this.#filtered(seq));
  }

  async #filtered(seq: number): Promise<Delivery[]> {
    const [row] = await this.#db.rows<{ dropped: string }>(
      `SELECT f.dropped FROM event_contents c
       JOIN endpoints p ON p.key = c.endpoint_key
       JOIN filtered_events f ON f.endpoint_key = c.endpoint_key AND f.event_seq = c.seq
       WHERE c.seq = $1 AND p.deleted_at IS NULL`,
      [seq],
    );
    if (!row) return [];
    const drops = dropsOf(row.dropped);
    const destinations = await this.#db.rows<{ key: number; id: string; url: string }>(
      'SELECT key, id, url FROM destinations WHERE key = ANY($1)',
      [drops.map(({ destinationKey }) => destinationKey)],
    );
    const byKey = new Map(destinations.map((destination) => [destination.key, destination]));
    return drops.flatMap((drop) => {
      const found = byKey.get(drop.destinationKey);
      return found ? [filteredDelivery(drop, found)] : [];
    });
  }

  async #delivered(seq: number, now: number): Promise<Delivery[]> {
    const rows = await this.#db.rows<DeliveryRow>(
      `SELECT ${DELIVERY_COLUMNS}
       FROM event_contents c
       JOIN endpoints p ON p.key = c.endpoint_key
       JOIN events e ON e.endpoint_key = c.endpoint_key AND e.seq = c.seq
       CROSS JOIN LATERAL (
         SELECT DISTINCT ON (u.destination_key) * FROM (
           SELECT ${SETTLED_COLUMNS} FROM deliveries v
           WHERE v.endpoint_key = e.endpoint_key AND v.event_seq = e.seq
             AND v.round >= coalesce(e.counted_from, e.round)
           UNION ALL
           SELECT ${OPEN_COLUMNS} FROM (SELECT * FROM ${OPEN_OF_EVENT}) v) u
         ORDER BY u.destination_key, u.round DESC) v
       JOIN destinations d ON d.key = v.destination_key
       WHERE c.seq = $1 AND p.deleted_at IS NULL
       ORDER BY v.round, v.destination_key`,
      [seq],
    );
    return rows.map((row) => deliveryOf(row, now));
  }

  async attempts(seq: number): Promise<Attempt[]> {
    const rows = await this.#db.rows<AttemptRow>(
      `SELECT ${ATTEMPT_COLUMNS} ${ATTEMPT_TABLES}
       WHERE a.event_seq = $1 AND p.deleted_at IS NULL ORDER BY a.id`,
      [seq],
    );
    return rows.map(attemptOf);
  }

  list(
    scope: Scope,
    filter: EventFilter,
    window: ListWindow,
    signal?: AbortSignal,
  ): Promise<EventPage> {
    return this.#searches.page(scope, filter, window, signal);
  }

  tryRules(endpointKey: number, trial: RuleTrial, signal?: AbortSignal): Promise<TriedEvent[]> {
    return this.#searches.tryRules(endpointKey, trial, signal);
  }

  eventActivity(endpointKey: number, window: HourWindow, signal?: AbortSignal) {
    return this.#db.snapshot((sql) => eventActivity(sql, endpointKey, window), signal);
  }

  attemptActivity(endpointKey: number, window: HourWindow, signal?: AbortSignal) {
    return this.#db.snapshot((sql) => attemptActivity(sql, endpointKey, window), signal);
  }
}

/** New events as columns, the parameters of `INSERT_BATCH`. */
class Batch {
  readonly #seqs: number[] = [];
  readonly #endpointKeys: number[] = [];
  readonly #queries: string[] = [];
  readonly #headers: string[] = [];
  readonly #bodies: Uint8Array[] = [];
  readonly #firsts: number[] = [];
  readonly #sizes: number[] = [];
  readonly #ids: string[] = [];
  readonly #methods: string[] = [];
  readonly #paths: string[] = [];
  readonly #contentTypes: (string | null)[] = [];
  readonly #providers: (string | null)[] = [];
  readonly #eventTypes: (string | null)[] = [];
  readonly #sourceIps: string[] = [];
  readonly #receivedAt: number[] = [];
  readonly #open: number[] = [];
  /** May end early. */
  readonly #editedFrom: (string | null)[] = [];
  #bytes = 0;

  get isEmpty(): boolean {
    return this.#seqs.length === 0;
  }

  /** Adds an event with `open` deliveries, and returns its summary. */
  add(request: CapturedRequest, endpoint: EndpointRow, seq: number, open: number): EventSummary {
    const size = request.body.length;
    this.#seqs.push(seq);
    this.#endpointKeys.push(endpoint.key);
    this.#queries.push(storable(request.query));
    this.#headers.push(JSON.stringify(request.rawHeaders));
    this.#bodies.push(request.body.bytes);
    // SQL counts from 1.
    this.#firsts.push(this.#bytes + 1);
    this.#bytes += size;
    this.#sizes.push(size);
    this.#ids.push(request.id);
    const event: EventSummary = {
      seq,
      id: request.id,
      endpointId: endpoint.id,
      status: 'received',
      method: storable(request.method),
      path: storable(request.path),
      contentType: storable(request.contentType),
      size,
      provider: storable(request.provider),
      eventType: storable(request.eventType),
      sourceIp: request.sourceIp,
      receivedAt: request.receivedAt,
      attempts: 0,
      editedFrom: request.editedFrom ?? null,
    };
    this.#methods.push(event.method);
    this.#paths.push(event.path);
    this.#contentTypes.push(event.contentType);
    this.#providers.push(event.provider);
    this.#eventTypes.push(event.eventType);
    this.#sourceIps.push(event.sourceIp);
    this.#receivedAt.push(event.receivedAt);
    this.#open.push(open);
    if (event.editedFrom !== null) {
      while (this.#editedFrom.length < this.#open.length - 1) this.#editedFrom.push(null);
      this.#editedFrom.push(event.editedFrom);
    }
    return event;
  }

  values(): unknown[] {
    return [
      this.#seqs,
      this.#endpointKeys,
      this.#queries,
      this.#headers,
      Buffer.concat(this.#bodies, this.#bytes),
      this.#firsts,
      this.#sizes,
      this.#ids,
      this.#methods,
      this.#paths,
      this.#contentTypes,
      this.#providers,
      this.#eventTypes,
      this.#sourceIps,
      this.#receivedAt,
      this.#open,
      this.#editedFrom,
    ];
  }
}

export interface ContentRow {
  query: string;
  headers: string;
  body: Buffer;
}

export function contentOf(row: ContentRow): EventContent {
  return {
    query: row.query,
    rawHeaders: JSON.parse(row.headers) as string[],
    body: row.body,
  };
}
