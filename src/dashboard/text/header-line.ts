/** A row of a form for headers. */
export interface HeaderLine {
  /** Identifies the row. */
  key: number;
  name: string;
  value: string;
  /** The masked present value; absent for a new header. An empty field keeps that value. */
  masked?: string;
  isRemoved?: boolean;
}
