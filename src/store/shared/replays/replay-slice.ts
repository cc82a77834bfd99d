import type { ReplaySlice } from '../../contract/replays.ts';

/** How many events one slice replays if each has `destinations` deliveries; at least 1. */
export function eventsOf({ events, deliveries }: ReplaySlice, destinations: number): number {
  return Math.max(1, Math.min(events, Math.floor(deliveries / Math.max(1, destinations))));
}

/** Time for which one slice searches for events, ms. Jobs of other accounts wait meanwhile. */
export const SLICE_MS = 1000;

/** The events of a slice. */
export interface Matching {
  /** Sequence numbers of matching events, oldest first. */
  seqs: number[];
  /** The job goes on after this number: `seqs` has all matches up to it. Null at the end. */
  resumeAfter: number | null;
}

/** The events that a slice of a bulk replay searches, oldest first. */
export interface UpwardRange {
  /** Sequence numbers: after this one and up to the other. */
  after: number;
  upTo: number;
  /** Most matches. */
  limit: number;
  /** Time after which the search stops, ms. It always makes some progress. */
  forMs: number;
}

/** The events up to `last`, the last one that was judged in time; null: all. */
export function judgedInTime(matching: Matching, last: number | null): Matching {
  if (last === null) return matching;
  return { seqs: matching.seqs.filter((seq) => seq <= last), resumeAfter: last };
}
