/**
 * Names that columns store as numbers, for narrower rows and indexes. The numbers are on disk:
 * a name keeps its number, and no number is reused.
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

  /** `unknown_8` for a number of a newer version, so its rows stay readable. */
  name(code: number): N {
    return this.#names.get(code) ?? (`unknown_${code}` as N);
  }
}

/** The names: `NameOf<typeof EVENT_STATUS>`. */
export type NameOf<C> = C extends CodedNames<infer N> ? N : never;
