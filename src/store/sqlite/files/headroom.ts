import { HookrelayError } from '../../../core/errors.ts';
import type { Clock } from '../../../core/runtime/runtime.ts';
import type { DiskSpace } from './disk-space.ts';

/**
 * How often the disk is measured, ms. A fast disk writes hundreds of MiB a second. Between two
 * measurements the server must not write half of the reserve.
 */
const MEASURE_EVERY_MS = 100;

export interface DatabaseRoom {
  /** Free pages in the file, which deletions left. New rows use them. */
  freePagesBytes: number;
  /** By how much the next checkpoint makes the file grow. */
  growthBytes: number;
}

/**
 * Refuses new events before the disk is full. On a full disk even DELETE fails, so retention could
 * never make room. Everything except capture continues.
 *
 * Deletions leave free pages in the file, but free no space on the disk. So free pages count as
 * room while half of the reserve is free.
 */
export class Headroom {
  readonly #clock: Clock;
  readonly #diskSpace: () => Promise<DiskSpace | null>;
  readonly #databaseRoom: () => DatabaseRoom;
  #lookedAt = Number.NEGATIVE_INFINITY;
  #short = false;
  #looking = false;

  constructor(
    clock: Clock,
    diskSpace: () => Promise<DiskSpace | null>,
    databaseRoom: () => DatabaseRoom,
  ) {
    this.#clock = clock;
    this.#diskSpace = diskSpace;
    this.#databaseRoom = databaseRoom;
  }

  /** Throws `storage_full` if there is too little room for new events. */
  check(): void {
    const now = this.#clock.monotonic();
    if (!this.#looking && now - this.#lookedAt >= MEASURE_EVERY_MS) {
      this.#lookedAt = now;
      void this.measure();
    }
    if (this.#short) {
      throw new HookrelayError('storage_full', 'the disk is almost full; nothing was stored', {
        hint: 'free disk space or set --retention; capture goes on by itself',
        retryAfterS: 30,
      });
    }
  }

  /** Measures the disk. Never rejects. If a measurement fails, nothing changes. */
  async measure(): Promise<void> {
    this.#looking = true;
    try {
      const space = await this.#diskSpace();
      // Some file systems don't report their space. Then only a failed write shows a full disk.
      this.#short = space !== null && this.#isShort(space);
    } catch {
      // If the disk is broken, the next write reports it.
    } finally {
      this.#looking = false;
    }
  }

  #isShort({ freeBytes, reserveBytes }: DiskSpace): boolean {
    const { freePagesBytes, growthBytes } = this.#databaseRoom();
    const left = freeBytes - growthBytes;
    return left < reserveBytes && (left < reserveBytes / 2 || left + freePagesBytes < reserveBytes);
  }
}
