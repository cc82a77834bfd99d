import type { ServerResponse } from 'node:http';
import type { Coalescer } from './coalescer.ts';
import type { SharedFrames } from './shared-frames.ts';

/**
 * A reader with more unsent bytes is slow. A slow reader must take bytes in each
 * `SLOW_GRACE_MS` and catch up within `MAX_BEHIND_MS`. Otherwise it is dropped, and resumes by
 * its cursor. A burst takes a healthy reader seconds on a slow line or a busy machine, and the
 * system may report progress only once per MiB.
 */
const SLOW_UNSENT_BYTES = 8 * 1024 * 1024;
const SLOW_GRACE_MS = 5000;
const MAX_BEHIND_MS = 30_000;
/**
 * Unsent bytes at which a reader is dropped at once. All items of one turn of the event
 * loop must fit, because no reader can take them earlier: 256 attempts with 16 KiB of
 * response each. JSON makes control characters six times as long.
 */
const MAX_UNSENT_BYTES = 32 * 1024 * 1024;
/** Most UTF-16 units of frames that wait for the coalescer. More are written at once. */
const GATHERED_LENGTH = 64 * 1024;
/**
 * A reader that takes nothing for this long is dropped, ms. This holds during catch-up and for
 * the last frames.
 */
const STALLED_MS = 30_000;

export interface FrameWriterOptions {
  coalescer: Coalescer;
  shared: SharedFrames;
}

/**
 * Writes frames to one reader, in order, and drops a reader that is too slow.
 *
 * Frames wait here until the reader has taken the previous ones. With all frames at once, the
 * response would make one system call, and count every byte as unsent until the reader has
 * taken the last one.
 */
export class FrameWriter {
  readonly #res: ServerResponse;
  readonly #options: FrameWriterOptions;
  /** Frames that wait to be written together, and their length. */
  #gathered: string[] = [];
  #gatheredLength = 0;
  #waiting: Buffer[] = [];
  #waitingBytes = 0;
  /** All bytes that the response has got. */
  #passedBytes = 0;
  #slow: NodeJS.Timeout | undefined;

  constructor(res: ServerResponse, { coalescer, shared }: FrameWriterOptions) {
    this.#res = res;
    this.#options = { coalescer, shared };
    res.on('drain', this.#passOn);
    res.once('close', () => clearTimeout(this.#slow));
  }

  /** Writes a frame soon, together with others. */
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
    // A reader that takes nothing would keep its frames in memory.
    clearTimeout(this.#slow);
    this.#slow = setTimeout(() => this.#res.destroy(), STALLED_MS).unref();
  }

  /**
   * Resolves when the reader has taken the written bytes. Throws if it leaves, or takes
   * nothing for `STALLED_MS`.
   */
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
