import type { ServerResponse } from 'node:http';
import type { Coalescer } from './coalescer.ts';
import type { SharedFrames } from './shared-frames.ts';

/**
 * Limits for a slow reader. A reader with more unsent bytes than this is slow. It must take bytes
 * in each `SLOW_GRACE_MS` and catch up within `MAX_BEHIND_MS`. Otherwise it is dropped, and resumes
 * by its cursor.
 *
 * A burst takes a healthy reader seconds on a slow line or a busy machine. The system may report
 * progress only once per MiB.
 */
const SLOW_UNSENT_BYTES = 8 * 1024 * 1024;
const SLOW_GRACE_MS = 5000;
const MAX_BEHIND_MS = 30_000;
/**
 * A reader with more unsent bytes is dropped at once. All items of one turn of the event loop must
 * fit: 256 attempts with 16 KiB of response each. JSON makes control characters six times as long.
 */
const MAX_UNSENT_BYTES = 32 * 1024 * 1024;
/**
 * The longest frames that wait for the coalescer, UTF-16 units. Longer ones are written at once.
 */
const GATHERED_LENGTH = 64 * 1024;
/** A reader that takes nothing for this long during catch-up or at the end is dropped, ms. */
const STALLED_MS = 30_000;

export interface FrameWriterOptions {
  coalescer: Coalescer;
  shared: SharedFrames;
}

/**
 * Writes frames to one reader, in order. Drops a reader that is too slow.
 *
 * Frames wait here until the reader has taken the previous frames. If the response got all frames
 * at once, every byte would count as unsent until the last one is taken.
 */
export class FrameWriter {
  readonly #res: ServerResponse;
  readonly #options: FrameWriterOptions;
  /** Frames that wait for the coalescer, and their length in UTF-16 units. */
  #gathered: string[] = [];
  #gatheredLength = 0;
  #waiting: Buffer[] = [];
  #waitingBytes = 0;
  /** All bytes that were written to the response. */
  #passedBytes = 0;
  #slow: NodeJS.Timeout | undefined;

  constructor(res: ServerResponse, { coalescer, shared }: FrameWriterOptions) {
    this.#res = res;
    this.#options = { coalescer, shared };
    res.on('drain', this.#passOn);
    res.once('close', () => clearTimeout(this.#slow));
  }

  gather(text: string): void {
    this.#gathered.push(text);
    this.#gatheredLength += text.length;
    if (this.#gatheredLength > GATHERED_LENGTH) this.#writeGathered();
    else if (this.#gathered.length === 1) this.#options.coalescer.soon(this.#writeGathered);
  }

  write(text: string): void {
    this.#writeGathered();
    this.#write(Buffer.from(text));
  }

  end(): void {
    this.#writeGathered();
    for (const bytes of this.#waiting.splice(0)) this.#res.write(bytes);
    this.#waitingBytes = 0;
    this.#res.end();
    // Drop a reader that takes nothing, because its frames would stay in memory.
    clearTimeout(this.#slow);
    this.#slow = setTimeout(() => this.#res.destroy(), STALLED_MS).unref();
  }

  /** Resolves when the reader has taken the bytes. Rejects if the reader leaves or stalls. */
  async drained(): Promise<void> {
    this.throwIfEnded();
    const res = this.#res;
    if (!res.writableNeedDrain) return;
    await new Promise<void>((resolve) => {
      const stalled = setTimeout(() => res.destroy(), STALLED_MS);
      const go = () => {
        clearTimeout(stalled);
        res.off('drain', go);
        res.off('close', go);
        resolve();
      };
      res.on('drain', go);
      res.on('close', go);
    });
    this.throwIfEnded();
  }

  throwIfEnded(): void {
    if (this.#res.destroyed || this.#res.writableEnded) throw new Error('the stream has ended');
  }

  readonly #writeGathered = (): void => {
    if (this.#gathered.length === 0) return;
    const frames = this.#gathered;
    this.#gathered = [];
    this.#gatheredLength = 0;
    this.#write(this.#options.shared.bytesOf(frames));
  };

  #write(bytes: Buffer): void {
    if (this.#res.destroyed || this.#res.writableEnded) return;
    this.#waiting.push(bytes);
    this.#waitingBytes += bytes.length;
    this.#passOn();
    if (this.#unsentBytes > MAX_UNSENT_BYTES) this.#res.destroy();
    else if (this.#unsentBytes > SLOW_UNSENT_BYTES) this.#slow ??= this.#dropUnlessItReads();
  }

  readonly #passOn = (): void => {
    while (!this.#res.writableNeedDrain) {
      const bytes = this.#waiting.shift();
      if (!bytes) return;
      this.#waitingBytes -= bytes.length;
      this.#passedBytes += bytes.length;
      this.#res.write(bytes);
    }
  };

  get #unsentBytes(): number {
    return this.#waitingBytes + this.#res.writableLength;
  }

  #dropUnlessItReads(behindMs = 0): NodeJS.Timeout {
    const before = this.#passedBytes;
    return setTimeout(() => {
      this.#slow = undefined;
      if (this.#unsentBytes <= SLOW_UNSENT_BYTES) return;
      const lasted = behindMs + SLOW_GRACE_MS;
      if (this.#passedBytes === before || lasted >= MAX_BEHIND_MS) this.#res.destroy();
      else this.#slow = this.#dropUnlessItReads(lasted);
    }, SLOW_GRACE_MS).unref();
  }
}
