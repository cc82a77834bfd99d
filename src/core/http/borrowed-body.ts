import { freeMemory } from '../runtime/free-memory.ts';

/**
 * A captured body whose memory is freed after the answer. A later read throws, because freed memory
 * would look like an empty body. Code that needs the body longer takes a `copy`.
 */
export class BorrowedBody {
  /** The size, bytes. Stays readable after `free`. */
  readonly length: number;
  readonly #bytes: Buffer;
  readonly #memory: Buffer;
  #isFreed = false;

  /** @param memory what `free` frees: the body, or the chunk that contains the body */
  constructor(bytes: Buffer, memory: Buffer = bytes) {
    this.length = bytes.length;
    this.#bytes = bytes;
    this.#memory = memory;
  }

  /** The bytes, valid until the answer. Don't keep a reference. */
  get bytes(): Buffer {
    if (this.#isFreed) throw new Error('a captured body was read after its request was answered');
    return this.#bytes;
  }

  copy(): Buffer {
    return Buffer.from(this.bytes);
  }

  free(): void {
    this.#isFreed = true;
    freeMemory(this.#memory);
  }
}
