import type { ReplaySlice } from '../contract/replays.ts';

/** How many events of an endpoint with so many destinations one slice replays, at least one. */
export function eventsOf({ events, deliveries }: ReplaySlice, destinations: number): number {
  return Math.max(1, Math.min(events, Math.floor(deliveries / Math.max(1, destinations))));
}
