import type { BorrowedBody } from '../../../../core/http/borrowed-body.ts';

/** Bodies as one value, which the server splits. */
export class BodyColumn {
  /** Where each body starts. SQL counts from 1. */
  readonly firsts: number[] = [];
  readonly sizes: number[] = [];
  readonly #bodies: Uint8Array[] = [];
  #bytes = 0;

  add(body: BorrowedBody): void {
    this.#bodies.push(body.bytes);
    this.firsts.push(this.#bytes + 1);
    this.sizes.push(body.length);
    this.#bytes += body.length;
  }

  /** All bodies. */
  value(): Buffer {
    return Buffer.concat(this.#bodies, this.#bytes);
  }
}
