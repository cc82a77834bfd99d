import type { Database } from 'better-sqlite3';
import type { SessionLimits } from '../../contract/accounts.ts';
import type { RemovedSlice, RetentionTerms, UpkeepStore } from '../../contract/upkeep.ts';
import {
  CLAIMED_DESTINATION_COLUMNS,
  type ClaimedDestinationRow,
  controlOf,
  expiredBefore,
} from '../../shared/destinations/claimed-destination.ts';
import {
  DOOMED_COLUMNS,
  type DoomedEvent,
  firstSlice,
  SLICE_BYTES,
} from '../../shared/upkeep/doomed-events.ts';
import type { Writer } from '../files/writer.ts';
import { OPEN_COLUMNS, type OpenRow } from '../queue/open-deliveries.ts';
import type { Rounds } from '../queue/rounds.ts';
import { RejectedRequests } from '../rejected/rejected-requests.ts';
import { purgeTypes } from '../types/saved-types.ts';
import type { EventDeletion } from './event-deletion.ts';

/** Whether the event `e` has an open delivery, of any round. */
export const HAS_OPEN_DELIVERY = `EXISTS (SELECT 1 FROM destinations d
  CROSS JOIN open_deliveries o ON o.destination_key = d.key AND o.event_seq = e.seq
  WHERE d.endpoint_key = e.endpoint_key)`;

/**
 * The largest number of expired events that one commit reads, including those that it must keep.
 */
const MOST_LOOKED_AT = 2000;

interface ExpiredRow extends DoomedEvent {
  open: number;
  receivedAt: number;
}

/** The place of an event among the expired events. */
type ExpiredPlace = Pick<ExpiredRow, 'endpointKey' | 'receivedAt' | 'seq'>;

const START: ExpiredPlace = { endpointKey: 0, receivedAt: 0, seq: 0 };

export class SqliteUpkeep implements UpkeepStore {
  readonly #db: Database;
  readonly #writer: Writer;
  readonly #rounds: Rounds;
  readonly #deletion: EventDeletion;
  readonly #rejected: RejectedRequests;
  /** The last expired event of the last slice. The next slice continues after it. */
  #lookedAt: ExpiredPlace = START;

  constructor(db: Database, writer: Writer, rounds: Rounds, deletion: EventDeletion) {
    this.#db = db;
    this.#writer = writer;
    this.#rounds = rounds;
    this.#deletion = deletion;
    this.#rejected = new RejectedRequests(db);
  }

  async retireSlice(
    { before, now: present }: RetentionTerms,
    maxEvents: number,
  ): Promise<RemovedSlice> {
    const now = present ?? null;
    const { last, ...slice } = await this.#writer.write(() => {
      const startedAt = performance.now();
      const { events, last } = this.#closed({ before, now }, maxEvents);
      this.#deletion.deleteAll(events);
      const removed = events.length;
      let more = true;
      // Rejected requests are deleted in their own commit.
      if (!last) {
        more =
          removed > 0
            ? this.#rejected.isExpired(now, before)
            : this.#rejected.retireSlice(now, before, maxEvents);
      }
      return { removed, more, heldMs: performance.now() - startedAt, last };
    });
    this.#lookedAt = last ?? START;
    return slice;
  }

  /**
   * Returns expired events that have no open delivery, and the last one that was looked at. `last`
   * is null if none is left.
   */
  #closed(
    terms: { before: number | null; now: number | null },
    maxEvents: number,
  ): { events: ExpiredRow[]; last: ExpiredPlace | null } {
    const { endpointKey, receivedAt, seq } = this.#lookedAt;
    const most = Math.max(MOST_LOOKED_AT, maxEvents);
    const values = { ...terms, most, endpointKey, receivedAt, seq };
    const expired = this.#db.prepare<[typeof values], ExpiredRow>(`
      SELECT ${DOOMED_COLUMNS}, e.open, e.received_at AS receivedAt
      FROM endpoints p
      CROSS JOIN events e INDEXED BY events_by_time
        ON e.endpoint_key = p.key AND e.received_at < coalesce(@now - p.retention_ms, @before)
          AND e.received_at >= iif(p.key = @endpointKey, @receivedAt, 0)
      WHERE p.key >= @endpointKey
        AND NOT (p.key = @endpointKey AND e.received_at = @receivedAt AND e.seq <= @seq)
      ORDER BY p.key, e.received_at, e.seq
      LIMIT @most`);
    const hasOpen = this.#db
      .prepare<[number, number], number>(
        `SELECT ${HAS_OPEN_DELIVERY} FROM events e WHERE e.endpoint_key = ? AND e.seq = ?`,
      )
      .pluck();
    const events: ExpiredRow[] = [];
    let last: ExpiredPlace | null = null;
    let looked = 0;
    let asked = 0;
    let bytes = 0;
    // Stops early, because most rows of a small slice need no look.
    for (const row of expired.iterate(values)) {
      // If `open` is above 0, no lookup is needed. If it is 0, older rounds or one-off URLs may be
      // open.
      if (row.open === 0) {
        if (asked === maxEvents) return { events, last };
        asked++;
        if (hasOpen.get(row.endpointKey, row.seq) === 0) {
          bytes += row.size;
          if (events.length > 0 && bytes > SLICE_BYTES) return { events, last };
          events.push(row);
        }
      }
      last = row;
      looked++;
    }
    return { events, last: looked < most ? null : last };
  }

  purgeSlice(maxEvents: number): Promise<RemovedSlice> {
    const deleted = this.#db
      .prepare<[], number>('SELECT key FROM endpoints WHERE deleted_at IS NOT NULL LIMIT 1')
      .pluck();
    const events = this.#db.prepare<[number, number], DoomedEvent>(
      `SELECT ${DOOMED_COLUMNS} FROM events e WHERE e.endpoint_key = ? LIMIT ?`,
    );
    const rest = [
      'DELETE FROM destination_rules WHERE destination_key IN (SELECT key FROM destinations WHERE endpoint_key = ?)',
      'DELETE FROM destinations WHERE endpoint_key = ?',
      'DELETE FROM api_token_endpoints WHERE endpoint_key = ?',
      'DELETE FROM event_counts WHERE endpoint_key = ?',
      'DELETE FROM issues WHERE endpoint_key = ?',
      'DELETE FROM endpoints WHERE key = ?',
    ].map((sql) => this.#db.prepare<[number]>(sql));
    return this.#writer.write(() => {
      const startedAt = performance.now();
      const key = deleted.get();
      if (key === undefined) return { removed: 0, more: false, heldMs: 0 };
      const all = events.all(key, maxEvents);
      const rows = firstSlice(all);
      this.#deletion.deleteAll(rows);
      const isEnd =
        all.length < maxEvents &&
        rows.length === all.length &&
        !(rows.length > 0 ? this.#rejected.isAny(key) : this.#rejected.purgeSlice(key, maxEvents));
      if (isEnd && !purgeTypes(this.#db, key)) for (const statement of rest) statement.run(key);
      return { removed: rows.length, more: true, heldMs: performance.now() - startedAt };
    });
  }

  expireHeldSlice(now: number, most: number): Promise<{ expired: number; more: boolean }> {
    const held = this.#db.prepare<[], ClaimedDestinationRow>(`
      SELECT ${CLAIMED_DESTINATION_COLUMNS} FROM destinations d INDEXED BY destinations_held
      JOIN endpoints p ON p.key = d.endpoint_key
      WHERE d.flow IS NOT NULL AND d.flow ->> 'breaker' IS NOT NULL AND p.deleted_at IS NULL`);
    const due = this.#db.prepare<[number, number, number], OpenRow>(`
      SELECT ${OPEN_COLUMNS} FROM open_deliveries v
      WHERE destination_key = ? AND behind = 0 AND next_attempt_at <= ?
      ORDER BY next_attempt_at LIMIT ?`);
    return this.#writer.write(() => {
      let expired = 0;
      for (const row of held.all()) {
        const heldSince = expiredBefore(controlOf(row), now);
        if (heldSince === null) continue;
        // Ending a delivery may free the next one of its order key. That one is as old and ends
        // too.
        for (;;) {
          const rows = due.all(row.key, heldSince, most - expired);
          this.#rounds.end(rows, 'dead', 'held_too_long');
          expired += rows.length;
          if (expired >= most) return { expired, more: true };
          if (rows.every((one) => one.orderKey === null)) break;
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
