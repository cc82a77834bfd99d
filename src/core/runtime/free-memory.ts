/** zlib's output buffer has a spare byte. Without it, zlib would double the buffer at the end. */
const SPARE_BYTES = 1;

/**
 * Frees a buffer's memory without waiting for garbage collection. V8 collects its whole heap for
 * every few dozen MiB of external memory: with 100 KB bodies that is a fifth of a capture's cost.
 *
 * The buffer is empty afterwards, so nobody may read it. A buffer that shares its memory, such as a
 * small one of Node's pool, keeps it.
 */
export function freeMemory(bytes: Uint8Array): void {
  memoryOf(bytes)?.transfer(0);
}

/** A buffer's memory; null if another buffer has a part of it. */
export function memoryOf({ buffer, byteLength }: Uint8Array): ArrayBuffer | null {
  const isItsOwn = buffer.byteLength - byteLength <= SPARE_BYTES;
  return buffer instanceof ArrayBuffer && isItsOwn ? buffer : null;
}
