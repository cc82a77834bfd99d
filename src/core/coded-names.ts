/**
 * A set of names that columns store as numbers, so that rows and indexes are narrow. The numbers
 * are on disk, so a name must keep its number, and no number may be used again.
 */
export class CodedNames<const N extends string> {
  readonly names: readonly N[];
  readonly #codes: Readonly<Record<N, number>>;
  readonly #names: ReadonlyMap<number, N>;

  constructor(codes: Readonly<Record<N, number>>) {
    this.#codes = codes;
    this.names = Object.keys(codes) as N[];
    this.#names = new Map(this.names.map((name) => [codes[name], name]));
  }

  code(name: N): number {
    return this.#codes[name];
  }

  /**
   * Returns the name of a number. A newer version may have stored a number that has no name here.
   * Its name is `unknown_8`, so that the row stays readable.
   */
  name(code: number): N {
    return this.#names.get(code) ?? (`unknown_${code}` as N);
  }
}

/** The type of the names: `NameOf<typeof EVENT_STATUS>`. */
export type NameOf<C> = C extends CodedNames<infer N> ? N : never;
