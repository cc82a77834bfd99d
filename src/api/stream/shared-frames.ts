import type { LiveItem } from '../../live/live.ts';
import { itemFrame } from './frame.ts';

interface SharedFrame {
  history: string;
  eventType: string | null;
  text: string;
}

/**
 * Frames and bytes that readers of the same items share. A thousand stalled readers hold
 * one copy of the bytes, not a thousand.
 */
export class SharedFrames {
  readonly #shared = new WeakMap<LiveItem, SharedFrame>();
  #frames: readonly string[] = [];
  #bytes = Buffer.alloc(0);

  /** The frame of a published item, built once for all its readers. */
  frameOf(item: LiveItem, eventType: string | null, history: string): string {
    const known = this.#shared.get(item);
    if (known?.history === history && known.eventType === eventType) return known.text;
    const text = itemFrame(item, eventType, history, item.position);
    this.#shared.set(item, { history, eventType, text });
    return text;
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
