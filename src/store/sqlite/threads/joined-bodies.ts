/** Bodies for another thread. They share memory that is transferred without a copy. */
export interface JoinedBodies {
  /** The size of each body, bytes. */
  sizes: number[];
  /** The bodies, one after the other. */
  bytes: Uint8Array<ArrayBuffer>;
}

export function joinBodies(things: readonly { body: Uint8Array }[]): JoinedBodies {
  // A loop, because V8 clones an array of `map` as a sparse one.
  const sizes: number[] = [];
  for (const { body } of things) sizes.push(body.length);
  // Only memory outside of Node's pool can be transferred. Zeroing it would waste time.
  const bytes = Buffer.allocUnsafeSlow(sizes.reduce((sum, size) => sum + size, 0));
  let at = 0;
  for (const { body } of things) {
    bytes.set(body, at);
    at += body.length;
  }
  return { sizes, bytes };
}

/** Returns the memory that the split bodies share. */
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
