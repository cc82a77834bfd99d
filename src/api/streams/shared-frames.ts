import type { LiveItem } from '../../live/live.ts';
import { itemFrame } from './stream-frame.ts';

/**
 * Frames and bytes that readers of the same items share. A thousand stalled readers hold
 * one copy of the bytes, not a thousand.
 */
export class SharedFrames {
  #item: LiveItem | undefined;
  #eventType: string | null = null;
  #frame = '';
  #frames: readonly string[] = [];
  #bytes = Buffer.alloc(0);

  /** The frame of a published item. Its readers ask one after another, so it is built once. */
  frameOf(item: LiveItem, eventType: string | null, history: string): string {
    if (item !== this.#item || eventType !== this.#eventType) {
      this.#item = item;
      this.#eventType = eventType;
      this.#frame = itemFrame(item, eventType, history, item.position);
    }
    return this.#frame;
  }

  /** The bytes of several frames: one buffer for all readers of the same frames. */
  bytesOf(frames: readonly string[]): Buffer {
    const isSame =
      frames.length === this.#frames.length && frames.every((text, i) => text === this.#frames[i]);
    if (!isSame) {
      this.#frames = frames;
      this.#bytes = Buffer.from(frames.join(''));
    }
    return this.#bytes;
  }
}
