import type { EventStatus } from '../../core/model.ts';
import type { StreamItem } from './stream-item.ts';

/** Most events whose latest status is remembered. */
const REMEMBERED_EVENTS = 10_000;

/**
 * Detects when an event enters a status: by its capture (`received`), or by an
 * attempt. Attempts that don't change the status don't count.
 */
export class StatusWatch {
  readonly #wanted: EventStatus;
  readonly #statuses = new Map<string, EventStatus>();

  constructor(wanted: EventStatus) {
    this.#wanted = wanted;
  }

  /** Whether an event has just entered the status. */
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
    // Moved to the end: the latest changes stay longest.
    this.#statuses.delete(id);
    this.#statuses.set(id, status);
    if (this.#statuses.size > REMEMBERED_EVENTS) {
      this.#statuses.delete(this.#statuses.keys().next().value as string);
    }
  }
}
