import { signal } from '@preact/signals';
import type { EventSummaryAnswer } from '../../../api/events/event-answer.ts';

/** The fetched rows of a list. */
interface Rows {
  row(index: number): EventSummaryAnswer | undefined;
  indexOf(eventId: string): number;
}

/** The events that the user chose in a list. */
export class ChosenEvents {
  readonly byId = signal<ReadonlyMap<string, EventSummaryAnswer>>(new Map());
  /** The beginning of a range: the last event that was chosen on its own. */
  #anchor: string | null = null;

  has(eventId: string): boolean {
    return this.byId.value.has(eventId);
  }

  toggle(event: EventSummaryAnswer): void {
    const next = new Map(this.byId.value);
    if (!next.delete(event.id)) next.set(event.id, event);
    this.#anchor = event.id;
    this.byId.value = next;
  }

  /**
   * Chooses the rows from the last chosen event to this one.
   *
   * @returns how many rows in between aren't chosen, because the list hasn't fetched them
   */
  extendTo(event: EventSummaryAnswer, rows: Rows): number {
    const from = this.#anchor === null ? -1 : rows.indexOf(this.#anchor);
    const to = rows.indexOf(event.id);
    if (from === -1 || to === -1) {
      this.add([event]);
      this.#anchor = event.id;
      return 0;
    }
    const span: EventSummaryAnswer[] = [];
    const [first, last] = from < to ? [from, to] : [to, from];
    for (let index = first; index <= last; index++) {
      const row = rows.row(index);
      if (row) span.push(row);
    }
    this.add(span);
    return last - first + 1 - span.length;
  }

  add(events: readonly EventSummaryAnswer[]): void {
    this.byId.value = new Map([
      ...this.byId.value,
      ...events.map((event) => [event.id, event] as const),
    ]);
  }

  remove(eventIds: Iterable<string>): void {
    const next = new Map(this.byId.value);
    for (const id of eventIds) next.delete(id);
    this.byId.value = next;
  }

  clear(): void {
    this.#anchor = null;
    if (this.byId.value.size > 0) this.byId.value = new Map();
  }
}
