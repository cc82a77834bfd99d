import {
  type DeliveryProgress,
  type EventProgress,
  eventStatus,
  movedProgress,
} from '../../../core/event-status.ts';
import type { EventStatus } from '../../../core/model.ts';
import { statusCode, statusOf } from '../../shared/codes.ts';
import { CountChanges } from '../../shared/events/count-changes.ts';
import { PROGRESS } from '../../shared/events/event-columns.ts';
import { JobChanges } from '../../shared/queue/job-changes.ts';
import type { Sql } from '../connection/database.ts';
import { applyCounts } from '../events/event-counts.ts';
import { noteStatuses } from '../events/failed-events.ts';
import { applyJobCounts } from './job-counts.ts';

const WRITTEN = PROGRESS.and({ endpointKey: 'bigint', seq: 'bigint', status: 'smallint' });

/**
 * An event that this transaction has locked. No other transaction changes its status or deliveries.
 */
export interface LockedEvent extends EventProgress {
  endpointKey: number;
  seq: number;
  status: number;
  round: number;
  /** The first round that counts for the status. Null if that is `round`. */
  countedFrom: number | null;
}

/** A delivery whose state changes. It is the newest from its event to its destination. */
export interface MovedDelivery {
  seq: number;
  round: number;
  isOneOff: boolean;
  /** The bulk replay that made the delivery, or null. */
  jobKey: number | null;
}

/** Returns the first round that counts for the event's status. */
export function firstCounted({ round, countedFrom }: Pick<LockedEvent, 'round' | 'countedFrom'>) {
  return countedFrom ?? round;
}

/**
 * The events that a transaction has locked because their deliveries change. One statement writes
 * them all, however many deliveries change.
 */
export class EventProgresses {
  readonly #before: readonly LockedEvent[];
  readonly #now: Map<number, { from: number; progress: EventProgress; status: EventStatus }>;
  readonly #moved = new Set<number>();
  readonly #jobs = new JobChanges();

  constructor(events: readonly LockedEvent[]) {
    this.#before = events;
    this.#now = new Map(
      events.map(({ open, succeeded, dead, failed, ...event }) => [
        event.seq,
        {
          from: firstCounted(event),
          progress: { open, succeeded, dead, failed },
          status: statusOf(event.status),
        },
      ]),
    );
  }

  statusOf(seq: number): EventStatus | undefined {
    return this.#now.get(seq)?.status;
  }

  /**
   * Applies the change of one delivery. Deliveries to one-off URLs, and deliveries of rounds that
   * don't count, don't change the event.
   */
  move(
    { seq, round, isOneOff, jobKey }: MovedDelivery,
    before: DeliveryProgress,
    after: DeliveryProgress,
  ): void {
    this.#jobs.move(jobKey, before.state, after.state);
    const event = this.#now.get(seq);
    if (!event || isOneOff || round < event.from) return;
    event.progress = movedProgress(event.progress, before, after);
    event.status = eventStatus(event.progress);
    this.#moved.add(seq);
  }

  async write(sql: Sql): Promise<void> {
    await this.#writeEvents(sql);
    await applyJobCounts(sql, this.#jobs);
  }

  async #writeEvents(sql: Sql): Promise<void> {
    const counts = new CountChanges();
    const written = this.#before.flatMap(({ endpointKey, seq, status }) => {
      const now = this.#now.get(seq);
      if (!now || !this.#moved.has(seq)) return [];
      counts.add(endpointKey, statusOf(status), -1);
      counts.add(endpointKey, now.status, 1);
      return [
        { endpointKey, seq, before: status, status: statusCode(now.status), ...now.progress },
      ];
    });
    if (written.length === 0) return;
    await sql.run(
      `UPDATE events e SET status = s.status, open = s.open, succeeded = s.succeeded,
         dead = s.dead, failed = s.failed
       FROM ${WRITTEN.unnest('s')}
       WHERE e.endpoint_key = s.endpoint_key AND e.seq = s.seq`,
      WRITTEN.arrays(written),
      'event progress',
    );
    await noteStatuses(
      sql,
      written.map(({ status: now, ...event }) => ({ ...event, now })),
    );
    await applyCounts(sql, counts);
  }
}
