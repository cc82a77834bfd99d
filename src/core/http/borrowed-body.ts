import { freeMemory } from '../free-memory.ts';

/**
 * A captured body whose memory is freed once its request is answered. Reading it
 * after that throws: the memory is empty then, and an empty body would look like a
 * captured one. What outlives the answer takes a `copy`.
 */
export class BorrowedBody {
  /** Bytes; also known after the body is freed. */
  readonly length: number;
  readonly #bytes: Buffer;
  readonly #memory: Buffer;
  #isFreed = false;

  /** @param memory what `free` frees: the body, or the chunk that it is a part of */
  constructor(bytes: Buffer, memory: Buffer = bytes) {
    this.length = bytes.length;
    this.#bytes = bytes;
    this.#memory = memory;
  }

  /** The bytes, to be read at once and not kept. */
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
