import { statfs } from 'node:fs/promises';
import { HookrelayError } from '../../core/errors.ts';
import type { Clock } from '../../core/runtime.ts';

const SHARE = 0.05;
const MOST_BYTES = 1024 ** 3;
const LEAST_BYTES = 256 * 1024 ** 2;
/** How old a look at the disk may be, ms. Between two looks less is written than is kept free. */
const LOOK_EVERY_MS = 1000;

/**
 * Stops capture before the disk is full. On a full one even DELETE fails, and
 * retention could never make room: so below min(5 %, 1 GiB), but at least
 * 256 MiB, new events are refused while everything else goes on.
 *
 * What retention deletes stays in the file as free pages, and the disk as full
 * as it was: those pages count as room, while half of the reserve is free.
 */
export class Headroom {
  readonly #directory: string;
  readonly #clock: Clock;
  #lookedAt = Number.NEGATIVE_INFINITY;
  #short = false;

  readonly #freePagesBytes: () => number;

  constructor(directory: string, clock: Clock, freePagesBytes: () => number) {
    this.#directory = directory;
    this.#clock = clock;
    this.#freePagesBytes = freePagesBytes;
  }

  /** Throws `storage_full` when there is too little room for new events. */
  check(): void {
    const now = this.#clock.monotonic();
    if (now - this.#lookedAt >= LOOK_EVERY_MS) {
      this.#lookedAt = now;
      void this.look();
    }
    if (this.#short) {
      throw new HookrelayError('storage_full', 'the disk is almost full; nothing was stored', {
        hint: 'free disk space or set --retention; capture goes on by itself',
        retryAfterS: 30,
      });
    }
  }

  async look(): Promise<void> {
    try {
      const { blocks, bavail, bsize } = await statfs(this.#directory);
      const reserve = Math.max(LEAST_BYTES, Math.min(MOST_BYTES, blocks * bsize * SHARE));
      const free = bavail * bsize;
      this.#short =
        free < reserve && (free < reserve / 2 || free + this.#freePagesBytes() < reserve);
    } catch {
      // A file system that can't say how full it is fails the write itself when it is.
      this.#short = false;
    }
  }
}
