import type { LiveItem } from '../../live/live.ts';
import { itemFrame } from './stream-frame.ts';

/** Caches the newest frames and bytes. A thousand stalled readers then share one copy in memory. */
export class SharedFrames {
  #item: LiveItem | undefined;
  #eventType: string | null = null;
  #frame = '';
  #frames: readonly string[] = [];
  #bytes = Buffer.alloc(0);

  /** Builds the frame of an item once, because the item's readers ask one after another. */
  frameOf(item: LiveItem, eventType: string | null, history: string): string {
    if (item !== this.#item || eventType !== this.#eventType) {
      this.#item = item;
      this.#eventType = eventType;
      this.#frame = itemFrame(item, eventType, history, item.position);
    }
    return this.#frame;
  }

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
