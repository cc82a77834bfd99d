/** A header that somebody edits. */
export interface HeaderLine {
  /** Identifies the row. */
  key: number;
  name: string;
  value: string;
}
