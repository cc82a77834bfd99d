import type { Database, Statement } from 'better-sqlite3';
import { newId } from '../../../core/ids.ts';
import type { EndedWithoutAttempt } from '../../../core/model.ts';
import type { ClaimedDestination } from '../../contract/claims.ts';
import { triggerCode } from '../../shared/codes.ts';
import {
  TAKER_COLUMNS,
  type TakerRow,
  takersOf,
} from '../../shared/destinations/claimed-destination.ts';
import { CountChanges } from '../../shared/events/count-changes.ts';
import type { ClaimCollector } from '../../shared/queue/claim-collector.ts';
import { JobChanges } from '../../shared/queue/job-changes.ts';
import { type NewRound, newClaim, orderKeyFor } from '../../shared/queue/new-round.ts';
import { EventCounts } from '../events/event-counts.ts';
import type { Claims } from './claims.ts';
import { EventProgresses, EventProgressStatements } from './event-progress.ts';
import { JobCounts } from './job-counts.ts';
import { OPEN_COLUMNS, OpenDeliveries, type OpenRow } from './open-deliveries.ts';

/** Creates and ends the deliveries of events. All methods run in the writer's transaction. */
export class Rounds {
  readonly counts: EventCounts;
  readonly jobCounts: JobCounts;
  readonly #claims: Claims;
  readonly #destinations: Statement<[number], TakerRow>;
  readonly #open: OpenDeliveries;
  readonly #progress: EventProgressStatements;
  readonly #older: Statement<[number, number, number], OpenRow>;
  readonly #openOf: Statement<[number, number, number], OpenRow>;

  constructor(db: Database, claims: Claims) {
    this.counts = new EventCounts(db);
    this.jobCounts = new JobCounts(db);
    this.#claims = claims;
    this.#destinations = db.prepare(`
      SELECT ${TAKER_COLUMNS} FROM destinations d
      WHERE d.endpoint_key = ? AND d.removed_at IS NULL ORDER BY d.key`);
    this.#open = new OpenDeliveries(db);
    this.#progress = new EventProgressStatements(db);
    this.#older = db.prepare(`
      SELECT ${OPEN_COLUMNS} FROM open_deliveries v WHERE destination_key = ? AND event_seq = ? AND round < ?`);
    this.#openOf = db.prepare(`
      SELECT ${OPEN_COLUMNS} FROM open_deliveries v WHERE destination_key = ? AND event_seq <= ? LIMIT ?`);
  }

  /** Returns the endpoint's current destinations, except disabled ones. */
  destinations(endpointKey: number): ClaimedDestination[] {
    return takersOf(this.#destinations.all(endpointKey));
  }

  /**
   * Creates a delivery for each destination, due at once. Claims those that `handover` allows. The
   * caller counts them for `round.jobKey`. Returns the keys of destinations where the delivery waits
   * behind an earlier one.
   */
  open(
    round: NewRound,
    destinations: readonly ClaimedDestination[],
    handover: ClaimCollector,
  ): ReadonlySet<number> {
    const ordered = new Set<number>();
    for (const destination of destinations) {
      const id = newId('dlv', round.now);
      const orderKey = orderKeyFor(destination.key, round.orderKeys);
      const { behind, turn } = this.#open.placeOf(destination.key, orderKey, round.isHeld);
      this.#open.add({
        destinationKey: destination.key,
        eventSeq: round.seq,
        round: round.round,
        endpointKey: round.endpointKey,
        id,
        trigger: triggerCode(round.trigger),
        nextAttemptAt: round.now,
        orderKey,
        behind,
        jobKey: round.jobKey,
        unjudged: round.isHeld,
        attempts: 0,
        probes: 0,
        turn,
      });
      if (behind) ordered.add(destination.key);
      if (behind || this.#claims.isKeyHeld(destination.key, orderKey, round.now)) continue;
      if (!handover.allows(destination)) {
        handover.unclaimed.add(destination.key);
        continue;
      }
      const token = this.#claims.take(id, destination.key, handover.terms.leaseUntil);
      handover.add(newClaim(round, destination, { id, token, orderKey }));
    }
    return ordered;
  }

  /**
   * Cancels an event's open deliveries of older rounds to these destinations. Returns the
   * destinations where that frees the next delivery of an order key.
   *
   * @param jobs gets the changes of the deliveries' jobs
   */
  supersede(
    destinationKeys: readonly number[],
    seq: number,
    round: number,
    jobs: JobChanges,
  ): Set<number> {
    const freed = new Set<number>();
    for (const row of destinationKeys.flatMap((key) => this.#older.all(key, seq, round))) {
      if (this.#open.settle(row, 'cancelled')) freed.add(row.destinationKey);
      jobs.move(row.jobKey, 'pending', 'cancelled');
      this.#claims.drop(row);
    }
    return freed;
  }

  progresses(): EventProgresses {
    return new EventProgresses(this.#progress);
  }

  /** Writes the changed events, and the counters of their statuses and of the jobs. */
  write(events: EventProgresses): void {
    const changes = new CountChanges();
    events.write(changes);
    this.counts.apply(changes);
    this.jobCounts.apply(events.jobs);
  }

  /**
   * Cancels at most `limit` open deliveries of a destination. Returns how many it cancelled.
   *
   * @param upTo cancels only deliveries of events up to this sequence number
   */
  cancelOpen(destinationKey: number, limit: number, upTo = Number.MAX_SAFE_INTEGER): number {
    const rows = this.#openOf.all(destinationKey, upTo, limit);
    this.end(rows, 'cancelled');
    return rows.length;
  }

  /** Deletes open deliveries of a deleted event. Returns what `supersede` returns. */
  drop(rows: readonly OpenRow[]): Set<number> {
    const freed = new Set<number>();
    const jobs = new JobChanges();
    for (const row of rows) {
      if (this.#open.remove(row)) freed.add(row.destinationKey);
      jobs.move(row.jobKey, 'pending', 'cancelled');
      this.#claims.drop(row);
    }
    this.jobCounts.apply(jobs);
    return freed;
  }

  /** Ends open deliveries and their claims without an attempt. Returns what `supersede` returns. */
  end(
    rows: readonly OpenRow[],
    state: 'cancelled' | 'dead',
    errorCode: EndedWithoutAttempt | null = null,
  ): Set<number> {
    const freed = new Set<number>();
    const events = this.progresses();
    for (const row of rows) {
      const { endpointKey, eventSeq: seq, round, destinationKey, jobKey, attempts, probes } = row;
      if (this.#open.settle(row, state, errorCode)) freed.add(destinationKey);
      this.#claims.drop(row);
      events.move(
        { endpointKey, seq, round, destinationKey, jobKey },
        { state: 'pending', attempts, probes },
        { state, attempts, probes },
      );
    }
    this.write(events);
    return freed;
  }
}
