import type { Database, Statement } from 'better-sqlite3';
import { eventStatus } from '../../core/event-status.ts';
import { newId } from '../../core/ids.ts';
import type { EventStatus, Trigger } from '../../core/model.ts';
import type { ClaimedDestination } from '../contract/claims.ts';
import { stateCode, stateOf, statusCode, statusOf, triggerCode } from '../shared/codes.ts';
import { CountChanges } from '../shared/count-changes.ts';
import type { Handover } from '../shared/handover.ts';
import type { Claims } from './claims.ts';
import { EventCounts } from './event-counts.ts';

const PENDING = stateCode('pending');
const CANCELLED = stateCode('cancelled');

export interface NewRound {
  endpointKey: number;
  seq: number;
  eventId: string;
  round: number;
  trigger: Trigger;
  now: number;
  /** Of the body, bytes. */
  size: number;
}

interface DestinationRow extends Omit<ClaimedDestination, 'timedOut'> {
  timedOut: number | null;
}

/**
 * The deliveries of an event, round by round, and the status that follows from
 * them. All methods run inside the writer's transaction.
 */
export class Rounds {
  readonly counts: EventCounts;
  readonly #claims: Claims;
  readonly #destinations: Statement<[number], DestinationRow>;
  readonly #insert: Statement<[number, number, number, number, string, number, number]>;
  readonly #progress: Statement<[number, number], { state: number; attempts: number }>;
  readonly #event: Statement<[number, number], { status: number; round: number }>;
  readonly #setStatus: Statement<[number, number, number]>;
  readonly #supersede: Statement<[number, number, number], { id: string; destination_key: number }>;
  readonly #openOf: Statement<
    [number, number],
    { event_seq: number; round: number; endpoint_key: number; id: string }
  >;
  readonly #cancel: Statement<[number, number, number]>;

  constructor(db: Database, claims: Claims) {
    this.counts = new EventCounts(db);
    this.#claims = claims;
    this.#destinations = db.prepare(`
      SELECT key, id, url, sealed_secret AS sealedSecret, timed_out AS timedOut
      FROM destinations WHERE endpoint_key = ? AND removed_at IS NULL ORDER BY key`);
    this.#insert = db.prepare(`
      INSERT INTO deliveries (event_seq, round, destination_key, endpoint_key, id, trigger, state,
        attempts, next_attempt_at)
      VALUES (?, ?, ?, ?, ?, ?, ${PENDING}, 0, ?)`);
    this.#progress = db.prepare(
      'SELECT state, attempts FROM deliveries WHERE event_seq = ? AND round = ?',
    );
    this.#event = db.prepare('SELECT status, round FROM events WHERE endpoint_key = ? AND seq = ?');
    this.#setStatus = db.prepare('UPDATE events SET status = ? WHERE endpoint_key = ? AND seq = ?');
    this.#supersede = db.prepare(`
      UPDATE deliveries SET state = ${CANCELLED}, next_attempt_at = NULL
      WHERE event_seq = ? AND round < ? AND state = ${PENDING}
        AND destination_key IN (SELECT key FROM destinations WHERE endpoint_key = ? AND removed_at IS NULL)
      RETURNING id, destination_key`);
    this.#openOf = db.prepare(`
      SELECT event_seq, round, endpoint_key, id FROM deliveries
      WHERE destination_key = ? AND state = ${PENDING} LIMIT ?`);
    this.#cancel = db.prepare(`
      UPDATE deliveries SET state = ${CANCELLED}, next_attempt_at = NULL
      WHERE event_seq = ? AND round = ? AND destination_key = ?`);
  }

  /** Where the endpoint's events go now. */
  destinations(endpointKey: number): ClaimedDestination[] {
    return this.#destinations.all(endpointKey).map((row) => ({
      ...row,
      timedOut: row.timedOut === null ? null : row.timedOut === 1,
    }));
  }

  /** Makes one delivery for each destination, due now. */
  open(round: NewRound, destinations: readonly ClaimedDestination[], handover: Handover): void {
    for (const destination of destinations) {
      const id = newId('dlv', round.now);
      this.#insert.run(
        round.seq,
        round.round,
        destination.key,
        round.endpointKey,
        id,
        triggerCode(round.trigger),
        round.now,
      );
      if (!handover.wants(destination)) {
        handover.unclaimed.add(destination.key);
        continue;
      }
      handover.take({
        id,
        token: this.#claims.take(id, destination.key, handover.terms.leaseUntil),
        eventSeq: round.seq,
        eventId: round.eventId,
        endpointKey: round.endpointKey,
        round: round.round,
        trigger: round.trigger,
        attempts: 0,
        size: round.size,
        destination,
      });
    }
  }

  /** Ends open deliveries of older rounds to destinations that the new round has too. */
  supersede(endpointKey: number, seq: number, round: number): void {
    for (const row of this.#supersede.all(seq, round, endpointKey)) {
      this.#claims.drop(row.id, row.destination_key);
    }
  }

  eventOf(endpointKey: number, seq: number): { status: number; round: number } | undefined {
    return this.#event.get(endpointKey, seq);
  }

  /**
   * Brings an event's status in line with its latest round. Returns it, or null
   * when the event is gone.
   */
  refreshStatus(endpointKey: number, seq: number, changes: CountChanges): EventStatus | null {
    const event = this.eventOf(endpointKey, seq);
    return event ? this.statusAfterChange(endpointKey, seq, event, changes) : null;
  }

  /** The same, of an event whose row was read before. */
  statusAfterChange(
    endpointKey: number,
    seq: number,
    event: { status: number; round: number },
    changes: CountChanges,
  ): EventStatus {
    const before = statusOf(event.status);
    const after = eventStatus(
      this.#progress
        .all(seq, event.round)
        .map(({ state, attempts }) => ({ state: stateOf(state), attempts })),
    );
    if (after !== before) {
      this.#setStatus.run(statusCode(after), endpointKey, seq);
      changes.add(endpointKey, before, -1);
      changes.add(endpointKey, after, 1);
    }
    return after;
  }

  /** Cancels up to `limit` open deliveries of a destination. Returns how many. */
  cancelOpen(destinationKey: number, limit: number): number {
    const rows = this.#openOf.all(destinationKey, limit);
    const changes = new CountChanges();
    for (const row of rows) {
      this.#cancel.run(row.event_seq, row.round, destinationKey);
      this.#claims.drop(row.id, destinationKey);
      this.refreshStatus(row.endpoint_key, row.event_seq, changes);
    }
    this.counts.apply(changes);
    return rows.length;
  }
}
