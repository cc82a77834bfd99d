import type { Database, Statement } from 'better-sqlite3';
import { statusOf } from '../../shared/codes.ts';
import { CountChanges } from '../../shared/events/count-changes.ts';
import type { DoomedEvent } from '../../shared/upkeep/doomed-events.ts';
import { OPEN_COLUMNS, type OpenRow } from '../queue/open-deliveries.ts';
import type { Rounds } from '../queue/rounds.ts';

/** Deletes events with all their rows. All methods run in the writer's transaction. */
export class EventDeletion {
  readonly #rounds: Rounds;
  readonly #onDeleted: () => void;
  readonly #deleteEvent: Statement<[number, number]>;
  readonly #deleteOf: Statement<[number, number]>[];
  readonly #deleteContent: Statement<[number]>;
  readonly #tombstone: Statement<[number]>;
  readonly #open: Statement<[number, number], OpenRow>;
  readonly #keepSilence: Statement<[{ key: number }]>;

  /** @param onDeleted called when the search index must forget events */
  constructor(db: Database, rounds: Rounds, onDeleted: () => void) {
    this.#rounds = rounds;
    this.#onDeleted = onDeleted;
    this.#deleteEvent = db.prepare('DELETE FROM events WHERE endpoint_key = ? AND seq = ?');
    this.#deleteOf = [
      db.prepare('DELETE FROM filtered_events WHERE endpoint_key = ? AND event_seq = ?'),
      db.prepare('DELETE FROM first_events WHERE endpoint_key = ? AND event_seq = ?'),
      db.prepare('DELETE FROM deliveries WHERE endpoint_key = ? AND event_seq = ?'),
      db.prepare('DELETE FROM attempts WHERE endpoint_key = ? AND event_seq = ?'),
      db.prepare(`DELETE FROM open_deliveries WHERE destination_key IN
        (SELECT key FROM destinations WHERE endpoint_key = ?) AND event_seq = ?`),
    ];
    this.#deleteContent = db.prepare('DELETE FROM event_contents WHERE seq = ?');
    this.#tombstone = db.prepare('INSERT INTO search_tombstones (seq) VALUES (?)');
    // Silence counts from the endpoint's last event, even if that event is deleted.
    this.#keepSilence = db.prepare(`
      UPDATE endpoints SET expected_since = newest.at
      FROM (SELECT max(received_at) AS at FROM events WHERE endpoint_key = @key) AS newest
      WHERE key = @key AND expect_every_ms IS NOT NULL AND expected_since < newest.at`);
    this.#open = db.prepare(`
      SELECT ${OPEN_COLUMNS} FROM destinations d
      CROSS JOIN open_deliveries v ON v.destination_key = d.key AND v.event_seq = ?
      WHERE d.endpoint_key = ?`);
  }

  /**
   * Deletes an event and ends its open deliveries, even claimed ones. Returns the destinations
   * where this frees a delivery.
   */
  deleteOne(event: DoomedEvent): Set<number> {
    const freed = this.#rounds.drop(this.#open.all(event.seq, event.endpointKey));
    this.deleteAll([event]);
    return freed;
  }

  /** Deletes events. They must have no open delivery, or belong to a deleted endpoint. */
  deleteAll(events: readonly DoomedEvent[]): void {
    for (const key of new Set(events.map(({ endpointKey }) => endpointKey)))
      this.#keepSilence.run({ key });
    const changes = new CountChanges();
    for (const { endpointKey, seq, status } of events) {
      this.#deleteEvent.run(endpointKey, seq);
      for (const statement of this.#deleteOf) statement.run(endpointKey, seq);
      this.#deleteContent.run(seq);
      this.#tombstone.run(seq);
      changes.add(endpointKey, statusOf(status), -1);
    }
    this.#rounds.counts.apply(changes);
    if (events.length > 0) this.#onDeleted();
  }
}
