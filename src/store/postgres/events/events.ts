import type { HookrelayError } from '../../../core/errors.ts';
import type { CapturedRequest } from '../../../core/http/captured-request.ts';
import type { Attempt, Delivery, EventSummary } from '../../../core/model.ts';
import type { ClaimTerms } from '../../contract/claims.ts';
import type {
  AppendBatchResult,
  EventContent,
  EventFilter,
  EventPage,
  EventStore,
  HourWindow,
  ListWindow,
  OverviewWindow,
  RuleTrialInput,
  TriedEvent,
} from '../../contract/events.ts';
import type { Scope } from '../../contract/scope.ts';
import {
  ATTEMPT_COLUMNS,
  type AttemptRow,
  attemptOf,
} from '../../shared/deliveries/attempt-rows.ts';
import { type DeliveryRow, deliveryOf } from '../../shared/deliveries/delivery-rows.ts';
import {
  ENDPOINT_COLUMNS,
  type EndpointRow,
  endpointOf,
} from '../../shared/endpoints/stored-endpoint.ts';
import { type ContentRow, contentOf } from '../../shared/events/event-content.ts';
import { dropsOf, filteredDelivery, withDrops } from '../../shared/events/filtered-events.ts';
import { type SummaryRow, summaryOf } from '../../shared/events/summary-rows.ts';
import { appendCaptures } from '../capture/captures.ts';
import type { Database } from '../connection/database.ts';
import { storable } from '../connection/storable.ts';
import { ATTEMPT_TABLES } from '../deliveries/attempt-tables.ts';
import {
  DELIVERY_COLUMNS,
  OPEN_COLUMNS,
  OPEN_OF_EVENT,
  SETTLED_COLUMNS,
} from '../deliveries/delivery-rows.ts';
import { attemptActivity, eventActivity } from '../overview/activity.ts';
import { readOverview } from '../overview/read-overview.ts';
import type { Rounds } from '../queue/rounds.ts';
import type { EventSearch } from '../search/event-search.ts';
import type { Indexer } from '../search-index/indexer.ts';
import { removeEvent } from '../upkeep/event-deletion.ts';
import { newestEvents } from './newest-events.ts';
import { SUMMARY_COLUMNS } from './summary-columns.ts';

export class PostgresEvents implements EventStore {
  readonly #db: Database;
  readonly #rounds: Rounds;
  readonly #searches: EventSearch;
  readonly #indexer: Indexer;
  readonly #schema: { newer: HookrelayError | null };

  /** @param schema if `newer` is set, the schema is too new for this node to capture */
  constructor(
    db: Database,
    rounds: Rounds,
    searches: EventSearch,
    indexer: Indexer,
    schema: { newer: HookrelayError | null },
  ) {
    this.#db = db;
    this.#rounds = rounds;
    this.#searches = searches;
    this.#indexer = indexer;
    this.#schema = schema;
  }

  async appendBatch(
    requests: readonly CapturedRequest[],
    terms: ClaimTerms,
  ): Promise<AppendBatchResult> {
    if (this.#schema.newer) throw this.#schema.newer;
    const { opened, ...appended } = await this.#db.transaction((sql) =>
      appendCaptures(sql, this.#rounds, requests, terms),
    );
    this.#rounds.noteOpened(opened);
    this.#indexer.wake();
    return appended;
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

  tryRules(
    endpointKey: number,
    trial: RuleTrialInput,
    signal?: AbortSignal,
  ): Promise<TriedEvent[]> {
    return this.#searches.tryRules(endpointKey, trial, signal);
  }

  newest(endpointKey: number, before: number | null, limits: { most: number; bytes: number }) {
    return this.#db.snapshot((sql) => newestEvents(sql, endpointKey, before, limits));
  }

  eventActivity(endpointKey: number, window: HourWindow, signal?: AbortSignal) {
    return this.#db.snapshot((sql) => eventActivity(sql, endpointKey, window), signal);
  }

  attemptActivity(endpointKey: number, window: HourWindow, signal?: AbortSignal) {
    return this.#db.snapshot((sql) => attemptActivity(sql, endpointKey, window), signal);
  }

  overview(scope: Scope, window: OverviewWindow, signal?: AbortSignal) {
    return this.#db.snapshot((sql) => readOverview(sql, scope, window), signal);
  }
}
