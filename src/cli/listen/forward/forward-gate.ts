export type Release = () => void;

interface Waiting {
  bytes: number;
  admit(release: Release): void;
}

/** Limits concurrent work, and admits it in the order of `enter`. Oversized work runs alone. */
export class ForwardGate {
  readonly #slots: number;
  readonly #maxBytes: number;
  readonly #queue: Waiting[] = [];
  #running = 0;
  #bytes = 0;

  constructor({ slots, bytes }: { slots: number; bytes: number }) {
    this.#slots = slots;
    this.#maxBytes = bytes;
  }

  get waiting(): number {
    return this.#queue.length;
  }

  enter(bytes: number): Promise<Release> {
    return new Promise((admit) => {
      this.#queue.push({ bytes, admit });
      this.#admit();
    });
  }

  #admit(): void {
    for (let next = this.#queue[0]; next && this.#hasRoom(next.bytes); next = this.#queue[0]) {
      this.#queue.shift();
      this.#running++;
      this.#bytes += next.bytes;
      const { bytes } = next;
      next.admit(() => {
        this.#running--;
        this.#bytes -= bytes;
        this.#admit();
      });
    }
  }

  #hasRoom(bytes: number): boolean {
    if (this.#running === 0) return true;
    return this.#running < this.#slots && this.#bytes + bytes <= this.#maxBytes;
  }
}
