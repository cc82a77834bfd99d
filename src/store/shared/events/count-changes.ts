import type { EventStatus } from '../../../core/model.ts';

/** Collects changes of `event_counts`, so that an operation writes them once at its end. */
export class CountChanges {
  readonly byEndpoint = new Map<number, Map<EventStatus, number>>();

  add(endpointKey: number, status: EventStatus, change: number): void {
    let counts = this.byEndpoint.get(endpointKey);
    if (!counts) {
      counts = new Map();
      this.byEndpoint.set(endpointKey, counts);
    }
    counts.set(status, (counts.get(status) ?? 0) + change);
  }
}
