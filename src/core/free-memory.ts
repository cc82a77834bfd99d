/** zlib is given a byte too many, or it would take twice the memory to see that it is at the end. */
const SPARE_BYTES = 1;

/**
 * Gives a buffer's memory back now, not when V8 comes to it. V8 collects its
 * whole heap for every few dozen MiB that are held outside of it: at 100 KB a
 * body that was a fifth of what a capture cost.
 *
 * The buffer is empty afterwards, so call this only for what nobody looks at any
 * more. One that shares its memory with others, as small ones of Node's pool do,
 * is left alone.
 */
export function freeMemory(bytes: Uint8Array): void {
  memoryOf(bytes)?.transfer(0);
}

/** A buffer's memory, where nobody else has a part of it. */
export function memoryOf({ buffer, byteLength }: Uint8Array): ArrayBuffer | null {
  const isItsOwn = buffer.byteLength - byteLength <= SPARE_BYTES;
  return buffer instanceof ArrayBuffer && isItsOwn ? buffer : null;
}
