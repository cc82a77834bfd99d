/** A header that somebody edits. */
export interface HeaderLine {
  /** Identifies the row. */
  key: number;
  name: string;
  value: string;
  /** The present value, which an empty one keeps; absent for a new header. */
  masked?: string;
  isRemoved?: boolean;
}
