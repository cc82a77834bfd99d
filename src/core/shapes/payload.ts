/** A parsed JSON body. */
export interface JsonPayload {
  /** A JSON value. Whole numbers that are written like `1.0` are `FRACTION` (`read-payload.ts`). */
  readonly value: unknown;
}
