/**
 * Frames of a live stream as the bytes to be sent. Readers who are told the same
 * share one piece of memory: a thousand that take nothing would else hold a
 * thousand copies of what they don't read.
 */
export class JoinedFrames {
  #frames: readonly string[] = [];
  #bytes = Buffer.alloc(0);

  bytesOf(frames: readonly string[]): Buffer {
    // The very strings: all readers of an item are given the same one.
    const isSame =
      frames.length === this.#frames.length && frames.every((text, i) => text === this.#frames[i]);
    if (!isSame) {
      this.#frames = frames;
      this.#bytes = Buffer.from(frames.join(''));
    }
    return this.#bytes;
  }
}
