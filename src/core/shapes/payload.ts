export interface JsonPayload {
  /** A parsed JSON value. A whole number written like `1.0` is `FRACTION` (`read-payload.ts`). */
  readonly value: unknown;
}
