import type { Database, Statement } from 'better-sqlite3';
import {
  type DeliveryProgress,
  type EventProgress,
  eventStatus,
  movedProgress,
} from '../../../core/event-status.ts';
import type { EventStatus } from '../../../core/model.ts';
import { statusCode, statusOf } from '../../shared/codes.ts';
import type { CountChanges } from '../../shared/events/count-changes.ts';
import { PROGRESS } from '../../shared/events/event-columns.ts';
import { JobChanges } from '../../shared/queue/job-changes.ts';

/** The state of an event within a transaction. */
export interface EventState {
  readonly endpointKey: number;
  readonly seq: number;
  readonly round: number;
  /** See `events.counted_from`. */
  readonly countedFrom: number | null;
  readonly status: EventStatus;
  readonly progress: EventProgress;
}

interface Row extends EventProgress {
  round: number;
  counted_from: number | null;
  status: number;
}

interface Changed {
  event: EventState;
  before: EventStatus;
  isChanged: boolean;
}

/** A delivery whose state changes. */
interface MovedDelivery {
  endpointKey: number;
  seq: number;
  round: number;
  destinationKey: number;
  /** The bulk replay that made the delivery, or null. */
  jobKey: number | null;
}

/** The statements of `EventProgresses`, prepared once for each connection. */
export class EventProgressStatements {
  readonly find: Statement<[number, number], Row>;
  readonly isOneOff: Statement<[number], number>;
  /** Omits `status`, because writing it also writes an index. */
  readonly setProgress: Statement<unknown[]>;
  readonly setStatus: Statement<[number, number, number]>;

  constructor(db: Database) {
    this.find = db.prepare(`
      SELECT round, counted_from, status, ${PROGRESS.names}
      FROM events WHERE endpoint_key = ? AND seq = ?`);
    this.isOneOff = db
      .prepare<[number], number>('SELECT one_off FROM destinations WHERE key = ?')
      .pluck();
    this.setProgress = db.prepare(`
      UPDATE events SET (${PROGRESS.names}) = (${PROGRESS.marks})
      WHERE endpoint_key = ? AND seq = ?`);
    this.setStatus = db.prepare('UPDATE events SET status = ? WHERE endpoint_key = ? AND seq = ?');
  }
}

/**
 * The events that a transaction changes through their deliveries. Each event is read once and
 * written once, however many of its deliveries change.
 */
export class EventProgresses {
  /** The changes of the deliveries' jobs. */
  readonly jobs = new JobChanges();
  readonly #statements: EventProgressStatements;
  readonly #events = new Map<number, Changed | null>();

  constructor(statements: EventProgressStatements) {
    this.#statements = statements;
  }

  /** Returns null if the event is gone. */
  find(endpointKey: number, seq: number): EventState | null {
    return this.#entry(endpointKey, seq)?.event ?? null;
  }

  /**
   * Updates an event after its newest delivery to a destination has changed, and notes the change
   * for the delivery's job. The event ignores deliveries to one-off URLs and of rounds before
   * `countedFrom`.
   */
  move(delivery: MovedDelivery, before: DeliveryProgress, after: DeliveryProgress): void {
    this.jobs.move(delivery.jobKey, before.state, after.state);
    const entry = this.#entry(delivery.endpointKey, delivery.seq);
    if (!entry || !this.#counts(entry.event, delivery)) return;
    const progress = movedProgress(entry.event.progress, before, after);
    entry.event = { ...entry.event, progress, status: eventStatus(progress) };
    entry.isChanged = true;
  }

  #counts(
    { round, countedFrom }: EventState,
    delivery: Pick<MovedDelivery, 'round' | 'destinationKey'>,
  ): boolean {
    if (countedFrom === null) return delivery.round === round;
    if (delivery.round < countedFrom) return false;
    return this.#statements.isOneOff.get(delivery.destinationKey) === 0;
  }

  /** Writes the changed events. Adds the changes of their statuses to `counts`. */
  write(counts: CountChanges): void {
    for (const entry of this.#events.values()) {
      if (!entry?.isChanged) continue;
      const { endpointKey, seq, status, progress } = entry.event;
      this.#statements.setProgress.run(...PROGRESS.values(progress), endpointKey, seq);
      if (status === entry.before) continue;
      this.#statements.setStatus.run(statusCode(status), endpointKey, seq);
      counts.add(endpointKey, entry.before, -1);
      counts.add(endpointKey, status, 1);
    }
  }

  #entry(endpointKey: number, seq: number): Changed | null {
    const known = this.#events.get(seq);
    if (known !== undefined) return known;
    const row = this.#statements.find.get(endpointKey, seq);
    const entry = row ? changed(endpointKey, seq, row) : null;
    this.#events.set(seq, entry);
    return entry;
  }
}

function changed(endpointKey: number, seq: number, row: Row): Changed {
  const { round, counted_from: countedFrom, status, ...progress } = row;
  const before = statusOf(status);
  const event = { endpointKey, seq, round, countedFrom, status: before, progress };
  return { event, before, isChanged: false };
}
