/** What a search found that stopped before its end: beside the error of its answer. */
export interface StoppedSearch<T> {
  /** The newest events that it found, at most 1000, newest first. */
  data: T[];
  /** Where the search goes on, with the same filters. */
  cursor: string;
  /** How many events it has dealt with. */
  looked_at: number;
  /** When the oldest of them was received. Null where it is gone. */
  until: string | null;
}
