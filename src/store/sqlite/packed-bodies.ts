/**
 * Things with bodies on their way to another thread: all bodies in one piece of
 * memory, which is handed over and not copied again.
 */
export interface PackedBodies<T extends { body: Uint8Array }> {
  items: Omit<T, 'body'>[];
  /** Of each body, bytes. */
  sizes: number[];
  /** All bodies, one after the other. */
  bodies: Uint8Array<ArrayBuffer>;
}

export function packBodies<T extends { body: Uint8Array }>(things: readonly T[]): PackedBodies<T> {
  const sizes = things.map(({ body }) => body.length);
  const bodies = new Uint8Array(sizes.reduce((sum, size) => sum + size, 0));
  let at = 0;
  for (const { body } of things) {
    bodies.set(body, at);
    at += body.length;
  }
  return { items: things.map(({ body, ...item }) => item), sizes, bodies };
}

export function unpackBodies<T extends { body: Uint8Array }>({
  items,
  sizes,
  bodies,
}: PackedBodies<T>): (Omit<T, 'body'> & { body: Buffer<ArrayBuffer> })[] {
  let at = bodies.byteOffset;
  return items.map((item, i) => {
    const body = Buffer.from(bodies.buffer, at, sizes[i]);
    at += body.length;
    return { ...item, body };
  });
}
