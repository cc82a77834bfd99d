import type { Database, Statement } from 'better-sqlite3';
import { MOST_URGENT, readFlow, storedFlow } from '../../../core/flow/flow.ts';
import type { DeliveryStore } from '../../contract/deliveries.ts';
import { stateCode } from '../../shared/codes.ts';
import type { RowOf } from '../../shared/columns.ts';
import { SETTLED_DELIVERY } from '../../shared/deliveries/delivery-columns.ts';
import {
  ENDPOINT_COLUMNS,
  type EndpointRow,
  endpointOf,
} from '../../shared/endpoints/stored-endpoint.ts';
import { settingsOf } from '../../shared/stored-settings.ts';
import type { Writer } from '../files/writer.ts';
import { OPEN_COLUMNS, OpenDeliveries, type OpenRow } from '../queue/open-deliveries.ts';
import type { Rounds } from '../queue/rounds.ts';
import type { AttemptReads, Writes } from '../reader-thread/reads.ts';
import { DeliveryIds, type DeliveryPlace } from './delivery-ids.ts';
import { DeliveryRows } from './delivery-rows.ts';
import { ofSettled } from './settled-deliveries.ts';

type SettledDeliveryRow = RowOf<typeof SETTLED_DELIVERY>;

interface TargetRow {
  settings: string;
  flow: string | null;
  /** 0 for a one-off URL. */
  isRemoved: number;
  isDeleted: number;
}

export class SqliteDeliveries implements Writes<'deliveries'> {
  readonly #writer: Writer;
  readonly #rounds: Rounds;
  readonly #rows: DeliveryRows;
  readonly #open: OpenDeliveries;
  readonly #ids: DeliveryIds;
  readonly #openAt: Statement<[DeliveryPlace], OpenRow>;
  readonly #settledAt: Statement<[DeliveryPlace], SettledDeliveryRow>;
  readonly #deleteSettled: Statement<[DeliveryPlace]>;
  readonly #firstOf: Statement<[number, string], string>;
  readonly #newer: Statement<[SettledDeliveryRow], unknown>;
  readonly #owned: Statement<[number, string], EndpointRow>;
  readonly #target: Statement<[number], TargetRow>;
  readonly #saveFlow: Statement<[string | null, number]>;
  readonly #placeOf: AttemptReads['placeOf'];

  constructor(db: Database, writer: Writer, rounds: Rounds, { placeOf }: AttemptReads) {
    this.#writer = writer;
    this.#placeOf = placeOf;
    this.#rounds = rounds;
    this.#rows = new DeliveryRows(db);
    this.#open = new OpenDeliveries(db);
    this.#ids = new DeliveryIds(db);
    const at = `endpoint_key = @endpointKey AND destination_key = @destinationKey
      AND event_seq = @eventSeq AND round = @round`;
    this.#openAt = db.prepare(`SELECT ${OPEN_COLUMNS} FROM open_deliveries v WHERE ${at}`);
    this.#settledAt = db.prepare(
      ofSettled((table) => `SELECT ${SETTLED_DELIVERY.read('v')} FROM ${table} v WHERE ${at}`),
    );
    this.#deleteSettled = db.prepare(`DELETE FROM deliveries WHERE ${at}`);
    this.#firstOf = db
      .prepare<[number, string], string>(`
        SELECT id FROM open_deliveries WHERE destination_key = ? AND order_key = ?
        ORDER BY turn LIMIT 1`)
      .pluck();
    this.#newer = db.prepare(`
      SELECT 1 FROM open_deliveries
      WHERE destination_key = @destinationKey AND event_seq = @eventSeq AND round > @round
      UNION ALL
      ${ofSettled(
        (table) => `
          SELECT 1 FROM ${table}
          WHERE endpoint_key = @endpointKey AND event_seq = @eventSeq AND round > @round
            AND destination_key = @destinationKey`,
      )}
      LIMIT 1`);
    this.#owned = db.prepare(`
      SELECT ${ENDPOINT_COLUMNS} FROM endpoints p
      WHERE p.key = ? AND p.user_id = ? AND p.deleted_at IS NULL`);
    this.#target = db.prepare(`
      SELECT d.settings, d.flow, d.removed_at IS NOT NULL AND d.one_off = 0 AS isRemoved,
        p.deleted_at IS NOT NULL AS isDeleted
      FROM destinations d JOIN endpoints p ON p.key = d.endpoint_key WHERE d.key = ?`);
    this.#saveFlow = db.prepare('UPDATE destinations SET flow = ? WHERE key = ?');
  }

  async find(userId: string, deliveryId: string, now: number) {
    const row = this.#rows.byId(deliveryId);
    const endpoint = row && this.#owned.get(row.endpointKey, userId);
    const delivery = endpoint && this.#rows.listed(row, now);
    return delivery ? { endpoint: endpointOf(endpoint), delivery } : null;
  }

  async findAttempt(userId: string, attemptId: string) {
    const row = await this.#placeOf(userId, attemptId);
    const endpoint = row && this.#owned.get(row.endpointKey, userId);
    return endpoint ? { endpoint: endpointOf(endpoint), eventSeq: row.eventSeq } : null;
  }

  retry(deliveryId: string, now: number): ReturnType<DeliveryStore['retry']> {
    return this.#writer.write(() => {
      const place = this.#ids.find(deliveryId);
      const settled = place && !place.isOpen ? this.#settledAt.get(place) : undefined;
      const open = place?.isOpen ? this.#openAt.get(place) : undefined;
      const row = settled ?? open;
      if (!place || !row) return null;
      const { destinationKey, eventSeq, round } = row;
      const target = this.#target.get(destinationKey);
      if (!target || target.isDeleted) return 'settled';
      if (settled && (target.isRemoved || !this.#mayRevive(settled))) return 'settled';
      if (settingsOf(target.settings).state !== 'active') return 'paused';
      const flow = this.#open.withoutEnded(readFlow(target.flow), destinationKey);
      const isUrgent = flow.urgent.some((one) => one.eventSeq === eventSeq && one.round === round);
      if (isUrgent) return { destinationKey };
      if (flow.urgent.length >= MOST_URGENT) return 'crowded';
      if (settled) this.#revive(place, settled, now);
      if (open) this.#open.release(open);
      const urgent = [...flow.urgent, { eventSeq, round }];
      this.#saveFlow.run(storedFlow({ ...flow, urgent }), destinationKey);
      return { destinationKey };
    });
  }

  cancel(deliveryId: string): ReturnType<DeliveryStore['cancel']> {
    return this.#writer.write(() => {
      const place = this.#ids.find(deliveryId);
      if (!place) return null;
      const row = this.#openAt.get(place);
      if (!row) return 'settled';
      this.#rounds.end([row], 'cancelled');
      return { destinationKey: row.destinationKey };
    });
  }

  async holder(deliveryId: string): ReturnType<DeliveryStore['holder']> {
    const place = this.#ids.find(deliveryId);
    const row = place?.isOpen ? this.#openAt.get(place) : undefined;
    if (!row || row.behind === 0 || row.orderKey === null) return null;
    const id = this.#firstOf.get(row.destinationKey, row.orderKey);
    return id === undefined || id === row.id ? null : { id, orderKey: row.orderKey };
  }

  /** Whether a delivery may be revived. It must be dead and counted, and no newer one may exist. */
  #mayRevive(row: SettledDeliveryRow): boolean {
    if (row.state !== stateCode('dead') || this.#newer.get(row)) return false;
    const event = this.#rounds.progresses().find(row.endpointKey, row.eventSeq);
    return event !== null && row.round >= (event.countedFrom ?? event.round);
  }

  #revive(place: DeliveryPlace, row: SettledDeliveryRow, now: number): void {
    const { endpointKey, eventSeq: seq, round, destinationKey, jobKey, attempts, probes } = row;
    this.#deleteSettled.run(place);
    const order = this.#open.placeOf(destinationKey, row.orderKey, false);
    this.#open.add({ ...row, ...order, nextAttemptAt: now, unjudged: false });
    const events = this.#rounds.progresses();
    events.move(
      { endpointKey, seq, round, destinationKey, jobKey },
      { state: 'dead', attempts, probes },
      { state: 'pending', attempts, probes },
    );
    this.#rounds.write(events);
  }
}
