import type { EventStatus } from '../../core/model.ts';

/** Changes of `event_counts` within one operation, written once at its end. */
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
