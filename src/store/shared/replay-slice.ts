import type { ReplaySlice } from '../contract/replays.ts';

/**
 * How many events one slice replays at an endpoint with `destinations` destinations; at
 * least 1.
 */
export function eventsOf({ events, deliveries }: ReplaySlice, destinations: number): number {
  return Math.max(1, Math.min(events, Math.floor(deliveries / Math.max(1, destinations))));
}
