import type { Database, Statement } from 'better-sqlite3';
import type { CapturedRequest } from '../../../core/http/captured-request.ts';
import type { Attempt, Delivery, EventSummary } from '../../../core/model.ts';
import type { ClaimTerms } from '../../contract/claims.ts';
import type { AppendBatchResult, EventContent } from '../../contract/events.ts';
import { attemptOf } from '../../shared/deliveries/attempt-rows.ts';
import { deliveryOf } from '../../shared/deliveries/delivery-rows.ts';
import {
  ENDPOINT_COLUMNS,
  type EndpointRow,
  endpointOf,
} from '../../shared/endpoints/stored-endpoint.ts';
import { dropsOf, filteredDelivery, withDrops } from '../../shared/events/filtered-events.ts';
import { type SummaryRow, summaryOf } from '../../shared/events/summary-rows.ts';
import { DOOMED_COLUMNS, type DoomedEvent } from '../../shared/upkeep/doomed-events.ts';
import { type AppendedBatch, wholeResult } from '../capture/append-result.ts';
import type { Captures } from '../capture/captures.ts';
import {
  ATTEMPT_COLUMNS,
  ATTEMPT_TABLES,
  type StoredAttemptRow,
  unpackedRow,
} from '../deliveries/attempt-rows.ts';
import { DeliveryRows } from '../deliveries/delivery-rows.ts';
import type { Writer } from '../files/writer.ts';
import type { Writes } from '../reader-thread/reads.ts';
import type { EventDeletion } from '../upkeep/event-deletion.ts';
import { CONTENT_COLUMNS, receivedContent, type StoredContentRow } from './event-content.ts';
import { prepareRequest, type RequestRows } from './prepared-request.ts';
import { SUMMARY_COLUMNS } from './summary-columns.ts';

export class SqliteEvents implements Writes<'events'> {
  readonly #db: Database;
  readonly #writer: Writer;
  readonly #captures: Captures;
  readonly #deletion: EventDeletion;
  readonly #content: Statement<[number], StoredContentRow>;
  readonly #deliveries: DeliveryRows;

  constructor(db: Database, writer: Writer, captures: Captures, deletion: EventDeletion) {
    this.#deletion = deletion;
    this.#db = db;
    this.#writer = writer;
    this.#captures = captures;
    this.#deliveries = new DeliveryRows(db);
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

  append(requests: readonly RequestRows[], terms: ClaimTerms): Promise<AppendedBatch> {
    return this.#captures.append(requests, terms);
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
        SELECT ${ENDPOINT_COLUMNS} FROM events e JOIN endpoints p ON p.key = e.endpoint_key
        WHERE e.id = ? AND p.user_id = ? AND p.deleted_at IS NULL`)
      .get(eventId, userId);
    const event = endpoint && (await this.find(endpoint.key, eventId));
    return event ? { endpoint: endpointOf(endpoint), event } : null;
  }

  async content(seq: number): Promise<EventContent | null> {
    const row = this.#content.get(seq);
    return row ? receivedContent(row) : null;
  }

  remove(endpointKey: number, eventId: string): Promise<{ freed: Set<number> } | null> {
    const find = this.#db.prepare<[string, number], DoomedEvent>(`
      SELECT ${DOOMED_COLUMNS}
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
      .prepare<[{ seq: number }], StoredAttemptRow>(
        `SELECT ${ATTEMPT_COLUMNS} ${ATTEMPT_TABLES}
         WHERE a.endpoint_key = (SELECT endpoint_key FROM event_contents WHERE seq = @seq)
           AND a.event_seq = @seq AND p.deleted_at IS NULL
         ORDER BY a.id`,
      )
      .all({ seq })
      .map((row) => attemptOf(unpackedRow(row)));
  }
}
