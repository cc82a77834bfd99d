import type { EventStatus } from '../../../core/model.ts';

/**
 * Collects the changes of `event_counts` during one operation, which writes them once at its end.
 */
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
