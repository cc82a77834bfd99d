import type { EventContent } from '../../contract/events.ts';

/** A cloned buffer arrives as a plain byte array. */
export function withBuffer<T extends EventContent>(content: T): T {
  const { buffer, byteOffset, byteLength } = content.body;
  return { ...content, body: Buffer.from(buffer, byteOffset, byteLength) };
}
