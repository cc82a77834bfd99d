import type { LiveItem } from '../../live/live.ts';
import { itemFrame } from './frame.ts';

/**
 * Frames and bytes that readers of the same items share. A thousand stalled readers hold
 * one copy of the bytes, not a thousand.
 */
export class SharedFrames {
  #item: LiveItem | undefined;
  #frame = '';
  #frames: readonly string[] = [];
  #bytes = Buffer.alloc(0);

  /** The frame of a published item. All its readers ask in one turn, so it is built once. */
  frameOf(item: LiveItem, history: string): string {
    if (item !== this.#item) {
      this.#item = item;
      this.#frame = itemFrame(item, history, item.position);
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
