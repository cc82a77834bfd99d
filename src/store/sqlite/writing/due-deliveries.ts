import type { Database, Statement } from 'better-sqlite3';
import { isHealthy } from '../../../core/destination-health.ts';
import type { ClaimedDelivery, ClaimedDestination, ClaimTerms } from '../../contract/claims.ts';
import { stateCode, triggerOf } from '../../shared/codes.ts';
import {
  type ClaimedDestinationRow,
  claimedDestination,
  type HealthColumn,
  healthOf,
} from '../../shared/destination-health-column.ts';
import { CLAIMED_DESTINATION_COLUMNS } from '../reading/destination-rows.ts';
import type { Claims } from './claims.ts';

const PENDING = stateCode('pending');

interface DueRow {
  id: string;
  event_seq: number;
  event_id: string;
  endpoint_key: number;
  round: number;
  trigger: number;
  attempts: number;
  size: number;
}

interface QueueHead {
  destination_key: number;
  next_attempt_at: number;
  timed_out: HealthColumn;
}

/** An open delivery, read from the queue's index. */
interface OpenRow {
  id: string;
  event_seq: number;
  round: number;
  next_attempt_at: number;
}

/** Finds due deliveries in the queue's index and claims them. */
export class DueDeliveries {
  readonly #claims: Claims;
  /** One read transaction: without it, SQLite takes and drops its locks for each statement. */
  readonly #inOneRead: <T>(read: () => T) => T;
  readonly #heads: Statement<[], QueueHead>;
  readonly #destination: Statement<[number], ClaimedDestinationRow>;
  readonly #openByTime: Statement<[number, number], OpenRow>;
  readonly #due: Statement<[number, number, number], DueRow>;

  constructor(db: Database, claims: Claims) {
    this.#claims = claims;
    const inOneRead = db.transaction((read: () => unknown) => read());
    this.#inOneRead = <T>(read: () => T) => inOneRead(read) as T;
    // Steps from destination to destination in the queue's index: one seek for each,
    // however many deliveries wait there.
    this.#heads = db.prepare(`
      WITH RECURSIVE heads (destination_key) AS (
        SELECT min(destination_key) FROM deliveries WHERE state = ${PENDING}
        UNION ALL
        SELECT (SELECT min(destination_key) FROM deliveries
                WHERE state = ${PENDING} AND destination_key > heads.destination_key)
        FROM heads WHERE heads.destination_key IS NOT NULL
      )
      SELECT h.destination_key, d.timed_out,
        (SELECT min(next_attempt_at) FROM deliveries
         WHERE state = ${PENDING} AND destination_key = h.destination_key) AS next_attempt_at
      FROM heads h
      JOIN destinations d ON d.key = h.destination_key
      JOIN endpoints p ON p.key = d.endpoint_key
      WHERE p.deleted_at IS NULL
      ORDER BY 3`);
    this.#destination = db.prepare(`
      SELECT ${CLAIMED_DESTINATION_COLUMNS} FROM destinations d WHERE d.key = ?`);
    this.#openByTime = db.prepare(`
      SELECT v.id, v.event_seq, v.round, v.next_attempt_at FROM deliveries v
      WHERE v.state = ${PENDING} AND v.destination_key = ?
      ORDER BY v.next_attempt_at LIMIT ?`);
    this.#due = db.prepare(`
      SELECT v.id, v.event_seq, e.id AS event_id, v.endpoint_key, v.round, v.trigger, v.attempts,
        e.size
      FROM deliveries v JOIN events e ON e.endpoint_key = v.endpoint_key AND e.seq = v.event_seq
      WHERE v.event_seq = ? AND v.round = ? AND v.destination_key = ?`);
  }

  /** Like `QueueStore.claimDue`. */
  claim(now: number, terms: ClaimTerms & { perDestination: number }): ClaimedDelivery[] {
    return this.#inOneRead(() => this.#claimDue(now, terms));
  }

  /** Like `QueueStore.nextDueAt`. */
  nextAt(now: number, skip: ReadonlySet<number>): number | null {
    return this.#inOneRead(() => this.#nextDueAt(now, skip));
  }

  #claimDue(now: number, terms: ClaimTerms & { perDestination: number }): ClaimedDelivery[] {
    const claimed: ClaimedDelivery[] = [];
    const { unhealthyLimit } = terms;
    let unhealthy = 0;
    for (const head of this.#heads.all()) {
      if (claimed.length >= terms.limit || head.next_attempt_at > now) break;
      if (terms.skip.has(head.destination_key)) continue;
      const isLimited = unhealthyLimit !== undefined && !isHealthy(healthOf(head.timed_out));
      if (isLimited && unhealthy >= unhealthyLimit) continue;
      const most = isLimited
        ? 1
        : (terms.depths?.get(head.destination_key) ?? terms.perDestination);
      const room = Math.min(most, terms.limit - claimed.length);
      const taken = this.#claimOf(head.destination_key, room, now, terms.leaseUntil);
      claimed.push(...taken);
      if (isLimited) unhealthy += taken.length;
    }
    return claimed;
  }

  #claimOf(
    destinationKey: number,
    room: number,
    now: number,
    leaseUntil: number,
  ): ClaimedDelivery[] {
    const claimed: ClaimedDelivery[] = [];
    let destination: ClaimedDestination | undefined;
    for (const open of this.#openRows(destinationKey, room)) {
      if (open.next_attempt_at > now || claimed.length === room) break;
      if (this.#claims.isHeld(open.id, now)) continue;
      const row = this.#due.get(open.event_seq, open.round, destinationKey);
      if (!row) continue;
      destination ??= this.#destinationOf(destinationKey);
      claimed.push({
        id: row.id,
        token: this.#claims.take(row.id, destinationKey, leaseUntil),
        eventSeq: row.event_seq,
        eventId: row.event_id,
        endpointKey: row.endpoint_key,
        round: row.round,
        trigger: triggerOf(row.trigger),
        attempts: row.attempts,
        size: row.size,
        destination,
      });
    }
    return claimed;
  }

  /** Enough rows at the head of a destination's queue to contain `room` unclaimed ones. */
  #openRows(destinationKey: number, room: number): OpenRow[] {
    return this.#openByTime.all(destinationKey, room + this.#claims.countOf(destinationKey));
  }

  #destinationOf(key: number): ClaimedDestination {
    return claimedDestination(this.#destination.get(key) as ClaimedDestinationRow);
  }

  #nextDueAt(now: number, skip: ReadonlySet<number>): number | null {
    let next: number | null = null;
    for (const head of this.#heads.all()) {
      if (next !== null && head.next_attempt_at >= next) break;
      if (skip.has(head.destination_key)) continue;
      const row = this.#openRows(head.destination_key, 1).find(
        ({ id }) => !this.#claims.isHeld(id, now),
      );
      if (row && (next === null || row.next_attempt_at < next)) next = row.next_attempt_at;
    }
    return next;
  }
}
