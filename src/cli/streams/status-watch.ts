import type { EventStatus } from '../../core/model.ts';
import type { StreamItem } from './stream-item.ts';

/** The largest number of events in memory, each with its latest status. */
const REMEMBERED_EVENTS = 10_000;

/** Detects when an event gets a certain status, at its capture (`received`) or by an attempt. */
export class StatusWatch {
  readonly #wanted: EventStatus;
  readonly #statuses = new Map<string, EventStatus>();

  constructor(wanted: EventStatus) {
    this.#wanted = wanted;
  }

  enters(item: StreamItem): boolean {
    if (item.kind !== 'event' && item.kind !== 'attempt') return false;
    const [id, status] =
      item.kind === 'event'
        ? [item.event.id, item.event.status]
        : [item.attempt.event_id, item.attempt.event_status];
    const before = this.#statuses.get(id);
    this.#remember(id, status);
    return status === this.#wanted && before !== status;
  }

  #remember(id: string, status: EventStatus): void {
    // Add it at the end, because the oldest entry is forgotten first.
    this.#statuses.delete(id);
    this.#statuses.set(id, status);
    if (this.#statuses.size > REMEMBERED_EVENTS) {
      this.#statuses.delete(this.#statuses.keys().next().value as string);
    }
  }
}
