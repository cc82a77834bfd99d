/**
 * Bodies on their way to another thread. One piece of memory holds them all; it is
 * transferred, without another copy.
 */
export interface JoinedBodies {
  /** Size of each body in bytes. */
  sizes: number[];
  /** The bodies, one after the other. */
  bytes: Uint8Array<ArrayBuffer>;
}

export function joinBodies(things: readonly { body: Uint8Array }[]): JoinedBodies {
  // Pushed: V8 clones an array of `map` as a sparse one.
  const sizes: number[] = [];
  for (const { body } of things) sizes.push(body.length);
  // Memory outside of the pool can be transferred. It is not filled with zeros.
  const bytes = Buffer.allocUnsafeSlow(sizes.reduce((sum, size) => sum + size, 0));
  let at = 0;
  for (const { body } of things) {
    bytes.set(body, at);
    at += body.length;
  }
  return { sizes, bytes };
}

/** The memory that bodies share, to be transferred. */
export function joinedMemory([first]: readonly { body: Uint8Array }[]): ArrayBuffer[] {
  return first ? [first.body.buffer as ArrayBuffer] : [];
}

export function splitBodies({ sizes, bytes }: JoinedBodies): Buffer<ArrayBuffer>[] {
  let at = bytes.byteOffset;
  return sizes.map((size) => {
    const body = Buffer.from(bytes.buffer, at, size);
    at += size;
    return body;
  });
}
