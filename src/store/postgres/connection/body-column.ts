/** Where a row's body is in the value of a `BodyColumn`. */
export const BODY_PART = { bodyFirst: 'integer', bodySize: 'integer?' } as const;

/** The body of a row `v` with a `BODY_PART`, from the value $1. Null where it has none. */
export const BODY_OF_ROW = 'substring($1::bytea FROM v.body_first FOR v.body_size)';

/** Bodies as one value, which the server splits: in an array they would be hexadecimal text. */
export class BodyColumn {
  readonly #bodies: Uint8Array[] = [];
  #bytes = 0;

  /** Returns the columns of the body's row. */
  add(body: Uint8Array | null): { bodyFirst: number; bodySize: number | null } {
    const bodyFirst = this.#bytes + 1; // SQL counts from 1.
    if (body === null) return { bodyFirst, bodySize: null };
    this.#bodies.push(body);
    this.#bytes += body.length;
    return { bodyFirst, bodySize: body.length };
  }

  /** All bodies. */
  value(): Buffer {
    return Buffer.concat(this.#bodies, this.#bytes);
  }
}
