import { memoryOf } from '../../../core/runtime/free-memory.ts';
import type { EventContent } from '../../contract/events.ts';
import type { StoredType } from '../../contract/types.ts';

/** Returns the memory of an event's body, unless other buffers use it too. */
export function contentMemory({ body }: { body: Uint8Array }): ArrayBuffer[] {
  const memory = body.length > 0 ? memoryOf(body) : null;
  return memory ? [memory] : [];
}

/** Returns the memory of shapes, unless other buffers use it too. */
export function shapeMemory(types: readonly StoredType[]): ArrayBuffer[] {
  return types.flatMap(({ shape }) => (shape ? contentMemory({ body: shape }) : []));
}

/** Converts the body to a `Buffer`, because it arrives as a plain byte array. */
export function revivedContent<T extends EventContent>(content: T): T {
  const { buffer, byteOffset, byteLength } = content.body;
  return { ...content, body: Buffer.from(buffer, byteOffset, byteLength) };
}
