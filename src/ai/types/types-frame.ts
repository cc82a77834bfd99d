/** What types and the code around them must know of each other. */
export interface TypesFrame {
  /** What that code calls its own: no type gets these names. */
  readonly reservedNames: readonly string[];
  /** Hears what the payload's type is called in the end: quicktype writes `Url` as `URL`. */
  onName(name: string): void;
}
