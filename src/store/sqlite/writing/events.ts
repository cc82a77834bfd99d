import type { Database, Statement } from 'better-sqlite3';
import type { CapturedRequest } from '../../../core/http/captured-request.ts';
import type { Attempt, Delivery, EventSummary } from '../../../core/model.ts';
import type { JudgingSettings } from '../../../core/rules/verdict.ts';
import type { ClaimedDestination, ClaimTerms } from '../../contract/claims.ts';
import type {
  AppendBatchResult,
  AttemptActivity,
  EventActivity,
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
  type Judged,
  passedBy,
  storedDrops,
  withDrops,
} from '../../shared/filtered-events.ts';
import { Handover } from '../../shared/handover.ts';
import type { Headroom } from '../files/headroom.ts';
import {
  ATTEMPT_COLUMNS,
  ATTEMPT_TABLES,
  type AttemptRow,
  attemptOf,
} from '../reading/deliveries/attempt-rows.ts';
import { DeliveryRows, deliveryOf } from '../reading/deliveries/delivery-rows.ts';
import { SUMMARY_COLUMNS, type SummaryRow, summaryOf } from '../reading/event-summary.ts';
import type { Reader } from '../reading/reader.ts';
import type { Indexer } from '../search/indexer.ts';
import { type AppendedBatch, type CapturedFor, wholeResult } from './append-result.ts';
import { DestinationRules } from './destination-rules.ts';
import { type EndpointRow, endpointOf, responseOf } from './endpoints.ts';
import type { EventDeletion, EventRef } from './event-deletion.ts';
import { type PreparedRequest, prepareRequest } from './prepared-request.ts';
import type { Rounds } from './rounds.ts';
import { receivedBody, type StoredBody, storedBody } from './stored-body.ts';
import type { Writer } from './writer.ts';

const RECEIVED = statusCode('received');

interface CaptureTarget {
  isActive: boolean;
  judged: Judged;
  of: CapturedFor;
  destinations: ClaimedDestination[];
  filters?: JudgingSettings;
}

export class SqliteEvents implements EventStore {
  readonly #db: Database;
  readonly #writer: Writer;
  readonly #rounds: Rounds;
  readonly #reader: Reader;
  readonly #headroom: Headroom;
  readonly #indexer: Indexer;
  readonly #deletion: EventDeletion;
  readonly #endpoint: Statement<[string], EndpointRow>;
  readonly #insertContent: Statement<[number, string, string, Uint8Array, number | null]>;
  readonly #insertEvent: Statement<unknown[]>;
  readonly #content: Statement<[number], ContentRow>;
  readonly #rules: DestinationRules;
  readonly #deliveries: DeliveryRows;
  readonly #insertDrops: Statement<[number, number, string]>;

  constructor(
    db: Database,
    writer: Writer,
    rounds: Rounds,
    reader: Reader,
    headroom: Headroom,
    indexer: Indexer,
    deletion: EventDeletion,
  ) {
    this.#deletion = deletion;
    this.#db = db;
    this.#writer = writer;
    this.#rounds = rounds;
    this.#reader = reader;
    this.#headroom = headroom;
    this.#indexer = indexer;
    this.#endpoint = db.prepare('SELECT * FROM endpoints WHERE public_token = ?');
    this.#insertContent = db.prepare(`
      INSERT INTO event_contents (endpoint_key, query, headers, body, uncompressed_size)
      VALUES (?, ?, ?, ?, ?)`);
    this.#insertEvent = db.prepare(`
      INSERT INTO events (endpoint_key, seq, id, status, round, method, path, content_type, size,
        provider, event_type, source_ip, received_at, open, edited_from)
      VALUES (?, ?, ?, ${RECEIVED}, 1, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`);
    this.#rules = new DestinationRules(db);
    this.#deliveries = new DeliveryRows(db);
    this.#insertDrops = db.prepare(
      'INSERT INTO filtered_events (endpoint_key, event_seq, dropped) VALUES (?, ?, ?)',
    );
    this.#content = db.prepare(`
      SELECT ${CONTENT_COLUMNS}
      FROM event_contents c JOIN endpoints p ON p.key = c.endpoint_key
      WHERE c.seq = ? AND p.deleted_at IS NULL`);
  }

  async appendBatch(
    requests: readonly CapturedRequest[],
    terms: ClaimTerms,
  ): Promise<AppendBatchResult> {
    return wholeResult(requests, await this.append(requests.map(prepareRequest), terms));
  }

  async append(requests: readonly PreparedRequest[], terms: ClaimTerms): Promise<AppendedBatch> {
    this.#headroom.check();
    const appended = await this.#writer.write(() => {
      const handover = new Handover(terms);
      const changes = new CountChanges();
      const targets = new Map<string, CaptureTarget | null>();
      const results = requests.map((request): AppendedBatch['results'][number] => {
        let target = targets.get(request.publicToken);
        if (target === undefined) {
          target = this.#target(request.publicToken);
          targets.set(request.publicToken, target);
        }
        if (!target) return { stored: false, reason: 'endpoint_not_found' };
        if (!target.isActive) return { stored: false, reason: 'endpoint_inactive' };
        if (isStale(request.verdict, target.judged)) {
          return { stored: false, reason: 'stale', judgeBy: this.#filtersOf(target) };
        }
        const seq = this.#insert(request, target, handover, changes);
        return { seq, of: target.of };
      });
      this.#rounds.counts.apply(changes);
      return {
        results,
        claimed: handover.claimed,
        unclaimed: handover.unclaimed,
      };
    });
    this.#indexer.wake();
    return appended;
  }

  #target(publicToken: string): CaptureTarget | null {
    const row = this.#endpoint.get(publicToken);
    if (!row) return null;
    return {
      isActive: row.is_active === 1,
      judged: { settingsVersion: row.settings_version, filters: row.filters },
      of: {
        userId: row.user_id,
        endpointKey: row.key,
        endpointId: row.id,
        response: responseOf(row.response),
      },
      destinations: this.#rounds.destinations(row.key),
    };
  }

  /** One object for all of a batch's requests to the endpoint: a message clones it once. */
  #filtersOf(target: CaptureTarget): JudgingSettings {
    target.filters ??= {
      userId: target.of.userId,
      version: target.judged.settingsVersion,
      filters: this.#rules.filtersOf(target.of.endpointKey),
    };
    return target.filters;
  }

  /** Returns the event's sequence number. */
  #insert(
    request: PreparedRequest,
    { of: { endpointKey }, destinations }: CaptureTarget,
    handover: Handover,
    changes: CountChanges,
  ): number {
    const dropped = request.verdict?.dropped ?? [];
    const passed = passedBy(destinations, dropped);
    const stored = storedBody(request.body);
    const { lastInsertRowid } = this.#insertContent.run(
      endpointKey,
      request.query,
      request.headers,
      stored.body,
      stored.uncompressed_size,
    );
    const seq = Number(lastInsertRowid);
    this.#insertEvent.run(
      endpointKey,
      seq,
      request.id,
      request.method,
      request.path,
      request.contentType,
      request.body.length,
      request.provider,
      request.eventType,
      request.sourceIp,
      request.receivedAt,
      passed.length,
      request.editedFrom ?? null,
    );
    if (dropped.length > 0) {
      this.#insertDrops.run(endpointKey, seq, storedDrops(dropped, request.receivedAt));
    }
    changes.add(endpointKey, 'received', 1);
    this.#rounds.open(
      {
        endpointKey,
        seq,
        eventId: request.id,
        round: 1,
        trigger: 'capture',
        now: request.receivedAt,
        size: request.body.length,
        orderKeys: request.verdict?.orderKeys ?? [],
        jobKey: null,
      },
      passed,
      handover,
    );
    return seq;
  }

  async find(endpointKey: number, eventId: string): Promise<EventSummary | null> {
    const row = this.#db
      .prepare<[string, number], SummaryRow>(`
        SELECT ${SUMMARY_COLUMNS} FROM events e JOIN endpoints p ON p.key = e.endpoint_key
        WHERE e.id = ? AND e.endpoint_key = ? AND p.deleted_at IS NULL`)
      .get(eventId, endpointKey);
    return row ? summaryOf(row) : null;
  }

  async findOwned(userId: string, eventId: string) {
    const endpoint = this.#db
      .prepare<[string, string], EndpointRow>(`
        SELECT p.* FROM events e JOIN endpoints p ON p.key = e.endpoint_key
        WHERE e.id = ? AND p.user_id = ? AND p.deleted_at IS NULL`)
      .get(eventId, userId);
    const event = endpoint && (await this.find(endpoint.key, eventId));
    return event ? { endpoint: endpointOf(endpoint), event } : null;
  }

  async content(seq: number): Promise<EventContent | null> {
    const row = this.#content.get(seq);
    return row ? contentOf(row) : null;
  }

  remove(endpointKey: number, eventId: string): Promise<{ freed: Set<number> } | null> {
    const find = this.#db.prepare<[string, number], EventRef>(`
      SELECT e.endpoint_key, e.seq, e.status, e.size
      FROM events e JOIN endpoints p ON p.key = e.endpoint_key
      WHERE e.id = ? AND e.endpoint_key = ? AND p.deleted_at IS NULL`);
    return this.#writer.write(() => {
      const event = find.get(eventId, endpointKey);
      return event ? { freed: this.#deletion.deleteOne(event) } : null;
    });
  }

  async deliveries(seq: number, now: number): Promise<Delivery[]> {
    const rows = this.#deliveries.ofEvent(seq);
    return withDrops(
      rows.map((row) => deliveryOf(row, now)),
      this.#filtered(seq),
    );
  }

  #filtered(seq: number): Delivery[] {
    const [row] = this.#db
      .prepare<[number], { dropped: string }>(`
        SELECT f.dropped FROM event_contents c
        JOIN endpoints p ON p.key = c.endpoint_key
        JOIN filtered_events f ON f.endpoint_key = c.endpoint_key AND f.event_seq = c.seq
        WHERE c.seq = ? AND p.deleted_at IS NULL`)
      .all(seq);
    const destination = this.#db.prepare<[number], { id: string; url: string }>(
      'SELECT id, url FROM destinations WHERE key = ?',
    );
    return (row ? dropsOf(row.dropped) : []).flatMap((drop) => {
      const found = destination.get(drop.destinationKey);
      return found ? [filteredDelivery(drop, found)] : [];
    });
  }

  async attempts(seq: number): Promise<Attempt[]> {
    return this.#db
      .prepare<[number], AttemptRow>(
        `SELECT ${ATTEMPT_COLUMNS} ${ATTEMPT_TABLES} WHERE a.event_seq = ? AND p.deleted_at IS NULL ORDER BY a.id`,
      )
      .all(seq)
      .map(attemptOf);
  }

  list(
    scope: Scope,
    filter: EventFilter,
    window: ListWindow,
    signal?: AbortSignal,
  ): Promise<EventPage> {
    return this.#reader.page(scope, filter, window, signal);
  }

  tryRules(endpointKey: number, trial: RuleTrial, signal?: AbortSignal): Promise<TriedEvent[]> {
    return this.#reader.tryRules(endpointKey, trial, signal);
  }

  eventActivity(
    endpointKey: number,
    window: HourWindow,
    signal?: AbortSignal,
  ): Promise<EventActivity> {
    return this.#reader.eventActivity(endpointKey, window, signal);
  }

  attemptActivity(
    endpointKey: number,
    window: HourWindow,
    signal?: AbortSignal,
  ): Promise<AttemptActivity[]> {
    return this.#reader.attemptActivity(endpointKey, window, signal);
  }
}

export interface ContentRow extends StoredBody {
  query: string;
  headers: string;
}

export const CONTENT_COLUMNS = 'c.query, c.headers, c.body, c.uncompressed_size';

export function contentOf(row: ContentRow): EventContent {
  return {
    query: row.query,
    rawHeaders: JSON.parse(row.headers) as string[],
    body: receivedBody(row),
  };
}
