/** zlib's output buffers have a spare byte. Without the byte, zlib would double a full buffer. */
const SPARE_BYTES = 1;

/**
 * Frees a buffer's memory without waiting for garbage collection. Otherwise V8 collects its whole
 * heap for every few dozen MiB of external memory. With bodies of 100 KB, this costs a fifth of a
 * capture.
 *
 * The buffer is empty afterwards, so nobody may read it. Memory that other buffers share stays,
 * such as Node's pool.
 */
export function freeMemory(bytes: Uint8Array): void {
  memoryOf(bytes)?.transfer(0);
}

/** Returns a buffer's memory. Null if other buffers may share it. */
export function memoryOf({ buffer, byteLength }: Uint8Array): ArrayBuffer | null {
  const isItsOwn = buffer.byteLength - byteLength <= SPARE_BYTES;
  return buffer instanceof ArrayBuffer && isItsOwn ? buffer : null;
}
