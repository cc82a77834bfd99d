import type { Database, Statement } from 'better-sqlite3';
import {
  type DeliveryProgress,
  type EventProgress,
  eventStatus,
  movedProgress,
} from '../../../core/event-status.ts';
import type { EventStatus } from '../../../core/model.ts';
import { statusCode, statusOf } from '../../shared/codes.ts';
import type { CountChanges } from '../../shared/count-changes.ts';

/** The state of an event within the current operation. */
export interface EventState {
  readonly endpointKey: number;
  readonly seq: number;
  readonly round: number;
  readonly status: EventStatus;
  readonly progress: EventProgress;
}

interface Row extends EventProgress {
  round: number;
  status: number;
}

interface Changed {
  event: EventState;
  before: EventStatus;
  isChanged: boolean;
}

/** The statements of `EventProgresses`, prepared once for each connection. */
export class EventProgressStatements {
  readonly find: Statement<[number, number], Row>;
  /** Doesn't write `status`, which is in an index. */
  readonly setProgress: Statement<[number, number, number, number, number, number]>;
  readonly setStatus: Statement<[number, number, number]>;

  constructor(db: Database) {
    this.find = db.prepare(`
      SELECT round, status, open, succeeded, dead, failed
      FROM events WHERE endpoint_key = ? AND seq = ?`);
    this.setProgress = db.prepare(`
      UPDATE events SET open = ?, succeeded = ?, dead = ?, failed = ?
      WHERE endpoint_key = ? AND seq = ?`);
    this.setStatus = db.prepare('UPDATE events SET status = ? WHERE endpoint_key = ? AND seq = ?');
  }
}

/**
 * The events whose deliveries one operation moves. Each event is read once and written
 * once, however many of its deliveries move. Lives within a transaction.
 */
export class EventProgresses {
  readonly #statements: EventProgressStatements;
  readonly #events = new Map<number, Changed | null>();

  constructor(statements: EventProgressStatements) {
    this.#statements = statements;
  }

  /** Null when the event is gone. */
  find(endpointKey: number, seq: number): EventState | null {
    return this.#entry(endpointKey, seq)?.event ?? null;
  }

  /** Applies the move of one delivery of the event. Older rounds change nothing. */
  move(
    { endpointKey, seq, round }: { endpointKey: number; seq: number; round: number },
    before: DeliveryProgress,
    after: DeliveryProgress,
  ): void {
    const entry = this.#entry(endpointKey, seq);
    if (entry?.event.round !== round) return;
    const progress = movedProgress(entry.event.progress, before, after);
    entry.event = { ...entry.event, progress, status: eventStatus(progress) };
    entry.isChanged = true;
  }

  /** Writes the changed events, and adds changes of their status to `counts`. */
  write(counts: CountChanges): void {
    for (const entry of this.#events.values()) {
      if (!entry?.isChanged) continue;
      const { endpointKey, seq, status, progress } = entry.event;
      const { open, succeeded, dead, failed } = progress;
      this.#statements.setProgress.run(open, succeeded, dead, failed, endpointKey, seq);
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
  const { round, status, ...progress } = row;
  const before = statusOf(status);
  return { event: { endpointKey, seq, round, status: before, progress }, before, isChanged: false };
}
