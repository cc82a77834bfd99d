import type { Database, Statement } from 'better-sqlite3';
import { newId } from '../../../core/ids.ts';
import type { ClaimedDestination } from '../../contract/claims.ts';
import { stateCode, triggerCode } from '../../shared/codes.ts';
import { CountChanges } from '../../shared/count-changes.ts';
import {
  type ClaimedDestinationRow,
  claimedDestination,
} from '../../shared/destination-health-column.ts';
import type { Handover } from '../../shared/handover.ts';
import { type NewRound, newClaim } from '../../shared/new-round.ts';
import { CLAIMED_DESTINATION_COLUMNS } from '../reading/destination-rows.ts';
import type { Claims } from './claims.ts';
import { EventCounts } from './event-counts.ts';
import { EventProgresses, EventProgressStatements } from './event-progress.ts';

const PENDING = stateCode('pending');
const CANCELLED = stateCode('cancelled');

/**
 * Makes and ends the deliveries of an event, round by round. All methods run inside
 * the writer's transaction.
 */
export class Rounds {
  readonly counts: EventCounts;
  readonly #claims: Claims;
  readonly #destinations: Statement<[number], ClaimedDestinationRow>;
  readonly #insert: Statement<[number, number, number, number, string, number, number]>;
  readonly #progress: EventProgressStatements;
  readonly #supersede: Statement<[number, number, number], { id: string; destination_key: number }>;
  readonly #openOf: Statement<
    [number, number],
    { event_seq: number; round: number; endpoint_key: number; id: string; attempts: number }
  >;
  readonly #cancel: Statement<[number, number, number]>;

  constructor(db: Database, claims: Claims) {
    this.counts = new EventCounts(db);
    this.#claims = claims;
    this.#destinations = db.prepare(`
      SELECT ${CLAIMED_DESTINATION_COLUMNS} FROM destinations d
      WHERE d.endpoint_key = ? AND d.removed_at IS NULL ORDER BY d.key`);
    this.#insert = db.prepare(`
      INSERT INTO deliveries (event_seq, round, destination_key, endpoint_key, id, trigger, state,
        attempts, next_attempt_at)
      VALUES (?, ?, ?, ?, ?, ?, ${PENDING}, 0, ?)`);
    this.#progress = new EventProgressStatements(db);
    this.#supersede = db.prepare(`
      UPDATE deliveries SET state = ${CANCELLED}, next_attempt_at = NULL
      WHERE event_seq = ? AND round < ? AND state = ${PENDING}
        AND destination_key IN (SELECT key FROM destinations WHERE endpoint_key = ? AND removed_at IS NULL)
      RETURNING id, destination_key`);
    this.#openOf = db.prepare(`
      SELECT event_seq, round, endpoint_key, id, attempts FROM deliveries
      WHERE destination_key = ? AND state = ${PENDING} LIMIT ?`);
    this.#cancel = db.prepare(`
      UPDATE deliveries SET state = ${CANCELLED}, next_attempt_at = NULL
      WHERE event_seq = ? AND round = ? AND destination_key = ?`);
  }

  /** The endpoint's current destinations. */
  destinations(endpointKey: number): ClaimedDestination[] {
    return this.#destinations.all(endpointKey).map(claimedDestination);
  }

  /** Makes one delivery for each destination, due now, and claims those that `handover` wants. */
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
      const token = this.#claims.take(id, destination.key, handover.terms.leaseUntil);
      handover.take(newClaim(round, destination, { id, token }));
    }
  }

  /** Cancels open deliveries of older rounds to the endpoint's current destinations. */
  supersede(endpointKey: number, seq: number, round: number): void {
    for (const row of this.#supersede.all(seq, round, endpointKey)) {
      this.#claims.drop(row.id, row.destination_key);
    }
  }

  /** Collects how one operation changes the status of events. */
  progresses(): EventProgresses {
    return new EventProgresses(this.#progress);
  }

  /** Cancels up to `limit` open deliveries of a destination and returns their number. */
  cancelOpen(destinationKey: number, limit: number): number {
    const rows = this.#openOf.all(destinationKey, limit);
    const events = this.progresses();
    for (const { event_seq: seq, round, endpoint_key: endpointKey, id, attempts } of rows) {
      this.#cancel.run(seq, round, destinationKey);
      this.#claims.drop(id, destinationKey);
      events.move(
        { endpointKey, seq, round },
        { state: 'pending', attempts },
        { state: 'cancelled', attempts },
      );
    }
    const changes = new CountChanges();
    events.write(changes);
    this.counts.apply(changes);
    return rows.length;
  }
}
