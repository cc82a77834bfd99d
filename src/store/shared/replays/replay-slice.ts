import type { ReplaySlice } from '../../contract/replays.ts';

/** Returns the number of events in one slice, at least 1. Each has `destinations` deliveries. */
export function eventsOf({ events, deliveries }: ReplaySlice, destinations: number): number {
  return Math.max(1, Math.min(events, Math.floor(deliveries / Math.max(1, destinations))));
}

/** The time that one slice searches for events, ms. Jobs of other accounts wait meanwhile. */
export const SLICE_MS = 1000;

export interface Matching {
  /** Sequence numbers of matching events, oldest first. */
  seqs: number[];
  /**
   * The job continues after this sequence number: `seqs` has all matches up to it. Null at the end.
   */
  resumeAfter: number | null;
}

/** The events that a slice of a bulk replay searches, oldest first. */
export interface UpwardRange {
  /** The search covers the sequence numbers after `after`, up to and including `upTo`. */
  after: number;
  upTo: number;
  /** The largest number of returned matches. */
  limit: number;
  /** The time after which the search stops, ms. The search always makes some progress first. */
  forMs: number;
}

/** Returns the events up to `last`, the last one judged in time. If `last` is null, all were. */
export function judgedInTime(matching: Matching, last: number | null): Matching {
  if (last === null) return matching;
  return { seqs: matching.seqs.filter((seq) => seq <= last), resumeAfter: last };
}
