/** The position of a row's body in the value of a `BodyColumn`. */
export const BODY_PART = { bodyFirst: 'integer', bodySize: 'integer?' } as const;

/**
 * SQL for the body of a row `v` that has the columns of `BODY_PART`. $1 is the `BodyColumn`'s
 * value.
 */
export const BODY_OF_ROW = 'substring($1::bytea FROM v.body_first FOR v.body_size)';

/** Joins bodies into one value. An array parameter would send them as hexadecimal text. */
export class BodyColumn {
  readonly #bodies: Uint8Array[] = [];
  #bytes = 0;

  /** Adds a body. Returns its position. */
  add(body: Uint8Array | null): { bodyFirst: number; bodySize: number | null } {
    const bodyFirst = this.#bytes + 1; // SQL counts from 1.
    if (body === null) return { bodyFirst, bodySize: null };
    this.#bodies.push(body);
    this.#bytes += body.length;
    return { bodyFirst, bodySize: body.length };
  }

  value(): Buffer {
    return Buffer.concat(this.#bodies, this.#bytes);
  }
}
