export interface HeaderLine {
  /** Identifies the row. */
  key: number;
  name: string;
  value: string;
  /** The current value, masked; absent for a new header. An empty field keeps the current value. */
  masked?: string;
  isRemoved?: boolean;
}
