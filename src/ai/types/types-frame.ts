/** The link between types and the code around them. */
export interface TypesFrame {
  /** Names in that code. No type gets one of them. */
  readonly reservedNames: readonly string[];
  /** Receives the final name of the payload's type: quicktype writes `Url` as `URL`. */
  onName(name: string): void;
}
