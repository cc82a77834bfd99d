import type { ReplaySlice } from '../../contract/replays.ts';

/**
 * How many events one slice replays at an endpoint with `destinations` destinations; at
 * least 1.
 */
export function eventsOf({ events, deliveries }: ReplaySlice, destinations: number): number {
  return Math.max(1, Math.min(events, Math.floor(deliveries / Math.max(1, destinations))));
}

/**
 * Time for which one slice looks for events, ms: the jobs of other accounts wait
 * meanwhile.
 */
export const SLICE_MS = 1000;

/** The events of a slice. */
export interface Matching {
  /** Sequence numbers of matching events, oldest first. */
  seqs: number[];
  /** Sequence number after which the job goes on: all matches up to it are in `seqs`. Null at its end. */
  resumeAfter: number | null;
}
