/** A parsed JSON body. */
export interface JsonPayload {
  /** `FRACTION` (`read-payload.ts`) stands for whole numbers such as `1.0`. */
  readonly value: unknown;
}
