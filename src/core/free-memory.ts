/**
 * Gives a buffer's memory back now, not when V8 comes to it. V8 collects its
 * whole heap for every few dozen MiB that are held outside of it: at 100 KB a
 * body that was a fifth of what a capture cost.
 *
 * The buffer is empty afterwards, so call this only for what nobody looks at any
 * more. One that shares its memory with others, as small ones of Node's pool do,
 * is left alone.
 */
export function freeMemory({ buffer, byteLength }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0);
}
