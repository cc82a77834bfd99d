import type { Database, Statement } from 'better-sqlite3';
import { triggerCode } from '../../shared/codes.ts';
import { ofSettled } from './settled-deliveries.ts';

/** The id of a delivery. Its first ten digits are a time (RFC 9562, section 5.7). */
const ID = /^dlv_([0-9a-hjkmnp-tv-z]{10})[0-9a-hjkmnp-tv-z]{16}$/;

export interface DeliveryPlace {
  endpointKey: number;
  destinationKey: number;
  eventSeq: number;
  round: number;
  isOpen: boolean;
}

type FoundPlace = Omit<DeliveryPlace, 'isOpen'>;

/** The id of a delivery, and bounds of the ids that events of its time have. */
interface Wanted {
  id: string;
  first: string;
  end: string;
}

const PLACE = `v.endpoint_key AS endpointKey, v.destination_key AS destinationKey,
  v.event_seq AS eventSeq, v.round`;

/**
 * Finds deliveries by their ids. Only deliveries of replays have an index by id, because an index
 * of all deliveries would slow captures. A captured delivery is found by its event, whose id begins
 * with the same time.
 */
export class DeliveryIds {
  readonly #replayed: Record<'open' | 'settled', Statement<[Wanted], FoundPlace>>;
  readonly #captured: Record<'open' | 'settled', Statement<[Wanted], FoundPlace>>;

  constructor(db: Database) {
    const replayed = (table: string) => `
      SELECT ${PLACE} FROM ${table} v WHERE v.id = @id AND v.trigger = ${triggerCode('replay')}`;
    this.#replayed = {
      open: db.prepare(replayed('open_deliveries')),
      settled: db.prepare(ofSettled(replayed)),
    };
    const events = 'e.id >= @first AND e.id < @end';
    this.#captured = {
      open: db.prepare(`
        SELECT ${PLACE} FROM events e
        CROSS JOIN destinations d ON d.endpoint_key = e.endpoint_key
        CROSS JOIN open_deliveries v
          ON v.destination_key = d.key AND v.event_seq = e.seq AND v.round = 1
        WHERE ${events} AND v.id = @id`),
      settled: db.prepare(
        ofSettled(
          (table) => `
        SELECT ${PLACE} FROM events e
        CROSS JOIN ${table} v
          ON v.endpoint_key = e.endpoint_key AND v.event_seq = e.seq AND v.round = 1
        WHERE ${events} AND v.id = @id`,
        ),
      ),
    };
  }

  /** Returns null if the id is unknown. */
  find(id: string): DeliveryPlace | null {
    const time = ID.exec(id)?.[1];
    if (time === undefined) return null;
    const first = `evt_${time}`;
    const wanted = { id, first, end: `${first}~` };
    for (const table of ['settled', 'open'] as const) {
      const found = this.#replayed[table].get(wanted) ?? this.#captured[table].get(wanted);
      if (found) return { ...found, isOpen: table === 'open' };
    }
    return null;
  }
}
