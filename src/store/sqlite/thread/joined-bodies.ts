/**
 * Bodies on their way to another thread: all in one piece of memory, which is
 * handed over and not copied again.
 */
export interface JoinedBodies {
  /** Of each body, bytes. */
  sizes: number[];
  /** One after the other. */
  bytes: Uint8Array<ArrayBuffer>;
}

export function joinBodies(things: readonly { body: Uint8Array }[]): JoinedBodies {
  const sizes = things.map(({ body }) => body.length);
  // Memory of its own, which can be handed over, and not filled with zeros first.
  const bytes = Buffer.allocUnsafeSlow(sizes.reduce((sum, size) => sum + size, 0));
  let at = 0;
  for (const { body } of things) {
    bytes.set(body, at);
    at += body.length;
  }
  return { sizes, bytes };
}

export function splitBodies({ sizes, bytes }: JoinedBodies): Buffer<ArrayBuffer>[] {
  let at = bytes.byteOffset;
  return sizes.map((size) => {
    const body = Buffer.from(bytes.buffer, at, size);
    at += size;
    return body;
  });
}
