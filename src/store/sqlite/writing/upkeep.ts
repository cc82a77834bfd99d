import type { Database, Statement } from 'better-sqlite3';
import type { SessionLimits } from '../../contract/accounts.ts';
import type { UpkeepStore } from '../../contract/upkeep.ts';
import {
  type ClaimedDestinationRow,
  controlOf,
  expiredBefore,
} from '../../shared/claimed-destination.ts';
import { statusOf } from '../../shared/codes.ts';
import { CountChanges } from '../../shared/count-changes.ts';
import { CLAIMED_DESTINATION_COLUMNS } from '../reading/destination-rows.ts';
import type { Indexer } from '../search/indexer.ts';
import type { OpenRow } from './queue/open-deliveries.ts';
import type { Rounds } from './rounds.ts';
import type { Writer } from './writer.ts';

interface EventRef {
  endpoint_key: number;
  seq: number;
  status: number;
  size: number;
}

/** Whether the event `e` has an open delivery, of any round. */
export const HAS_OPEN_DELIVERY = `EXISTS (SELECT 1 FROM destinations d
  CROSS JOIN open_deliveries o ON o.destination_key = d.key AND o.event_seq = e.seq
  WHERE d.endpoint_key = e.endpoint_key)`;

/**
 * Most bytes of bodies deleted in one commit, unless one body is larger: to free the
 * pages of 25 MiB takes tens of milliseconds.
 */
const SLICE_BYTES = 16 * 1024 * 1024;

export class SqliteUpkeep implements UpkeepStore {
  readonly #db: Database;
  readonly #writer: Writer;
  readonly #rounds: Rounds;
  readonly #indexer: Indexer;
  readonly #deleteEvent: Statement<[number, number]>;
  readonly #deleteOf: Statement<[number, number]>[];
  readonly #deleteBySeq: Statement<[number]>[];
  readonly #tombstone: Statement<[number]>;

  constructor(db: Database, writer: Writer, rounds: Rounds, indexer: Indexer) {
    this.#db = db;
    this.#writer = writer;
    this.#rounds = rounds;
    this.#indexer = indexer;
    this.#deleteEvent = db.prepare('DELETE FROM events WHERE endpoint_key = ? AND seq = ?');
    this.#deleteOf = [
      db.prepare('DELETE FROM filtered_events WHERE endpoint_key = ? AND event_seq = ?'),
      db.prepare('DELETE FROM deliveries WHERE endpoint_key = ? AND event_seq = ?'),
      db.prepare(`DELETE FROM open_deliveries WHERE destination_key IN
        (SELECT key FROM destinations WHERE endpoint_key = ?) AND event_seq = ?`),
    ];
    this.#deleteBySeq = [
      db.prepare('DELETE FROM event_contents WHERE seq = ?'),
      db.prepare('DELETE FROM attempts WHERE event_seq = ?'),
    ];
    this.#tombstone = db.prepare('INSERT INTO search_tombstones (seq) VALUES (?)');
  }

  retireSlice(before: number, maxEvents: number): Promise<{ removed: number; more: boolean }> {
    const expired = this.#db.prepare<[number, number], EventRef>(`
      SELECT e.endpoint_key, e.seq, e.status, e.size
      FROM endpoints p
      CROSS JOIN events e INDEXED BY events_by_time
        ON e.endpoint_key = p.key AND e.received_at < ?
      WHERE NOT ${HAS_OPEN_DELIVERY}
      LIMIT ?`);
    return this.#writer.write(() => {
      const all = expired.all(before, maxEvents);
      const events = firstSlice(all);
      this.#delete(events);
      return {
        removed: events.length,
        more: events.length < all.length || all.length === maxEvents,
      };
    });
  }

  purgeSlice(maxEvents: number): Promise<{ removed: number; more: boolean }> {
    const deleted = this.#db
      .prepare<[], number>('SELECT key FROM endpoints WHERE deleted_at IS NOT NULL LIMIT 1')
      .pluck();
    const events = this.#db.prepare<[number, number], EventRef>(
      'SELECT endpoint_key, seq, status, size FROM events WHERE endpoint_key = ? LIMIT ?',
    );
    const rest = [
      'DELETE FROM destination_rules WHERE destination_key IN (SELECT key FROM destinations WHERE endpoint_key = ?)',
      'DELETE FROM destinations WHERE endpoint_key = ?',
      'DELETE FROM api_token_endpoints WHERE endpoint_key = ?',
      'DELETE FROM event_counts WHERE endpoint_key = ?',
      'DELETE FROM endpoints WHERE key = ?',
    ].map((sql) => this.#db.prepare<[number]>(sql));
    return this.#writer.write(() => {
      const key = deleted.get();
      if (key === undefined) return { removed: 0, more: false };
      const all = events.all(key, maxEvents);
      const rows = firstSlice(all);
      this.#delete(rows);
      if (all.length < maxEvents && rows.length === all.length)
        for (const statement of rest) statement.run(key);
      return { removed: rows.length, more: true };
    });
  }

  #delete(events: EventRef[]): void {
    const changes = new CountChanges();
    for (const { endpoint_key, seq, status } of events) {
      this.#deleteEvent.run(endpoint_key, seq);
      for (const statement of this.#deleteOf) statement.run(endpoint_key, seq);
      for (const statement of this.#deleteBySeq) statement.run(seq);
      this.#tombstone.run(seq);
      changes.add(endpoint_key, statusOf(status), -1);
    }
    this.#rounds.counts.apply(changes);
    if (events.length > 0) this.#indexer.wake();
  }

  expireHeldSlice(now: number, most: number): Promise<{ expired: number; more: boolean }> {
    const held = this.#db.prepare<[], ClaimedDestinationRow>(`
      SELECT ${CLAIMED_DESTINATION_COLUMNS} FROM destinations d INDEXED BY destinations_held
      JOIN endpoints p ON p.key = d.endpoint_key
      WHERE d.flow IS NOT NULL AND d.flow ->> 'breaker' IS NOT NULL AND p.deleted_at IS NULL`);
    const due = this.#db.prepare<[number, number, number], OpenRow>(`
      SELECT * FROM open_deliveries
      WHERE destination_key = ? AND behind = 0 AND next_attempt_at <= ?
      ORDER BY next_attempt_at LIMIT ?`);
    return this.#writer.write(() => {
      let expired = 0;
      for (const row of held.all()) {
        const heldSince = expiredBefore(controlOf(row), now);
        if (heldSince === null) continue;
        // Each end of a delivery may free the next one of its order key, which is as old.
        for (;;) {
          const rows = due.all(row.key, heldSince, most - expired);
          this.#rounds.end(rows, 'dead', 'held_too_long');
          expired += rows.length;
          if (expired >= most) return { expired, more: true };
          if (rows.every((one) => one.order_key === null)) break;
        }
      }
      return { expired, more: false };
    });
  }

  dropExpiredSessions(limits: SessionLimits, now: number): Promise<number> {
    const drop = this.#db.prepare('DELETE FROM sessions WHERE last_used_at < ? OR created_at < ?');
    return this.#writer.write(() => drop.run(now - limits.idleMs, now - limits.absoluteMs).changes);
  }
}

/** The first events whose bodies fit in one slice; at least one. */
function firstSlice(events: EventRef[]): EventRef[] {
  let bytes = 0;
  const end = events.findIndex(({ size }, i) => {
    bytes += size;
    return i > 0 && bytes > SLICE_BYTES;
  });
  return end === -1 ? events : events.slice(0, end);
}
