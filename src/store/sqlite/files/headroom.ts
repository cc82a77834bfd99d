import { HookrelayError } from '../../../core/errors.ts';
import type { Clock } from '../../../core/runtime/runtime.ts';
import type { DiskSpace } from './disk-space.ts';

/**
 * Interval of measurements, ms. A fast disk takes hundreds of MiB a second. Writes between
 * two measurements must stay below half of the reserve, or free pages stop counting as room.
 */
const MEASURE_EVERY_MS = 100;

/** The room that the database has and needs. */
export interface DatabaseRoom {
  /** Free pages in the file, from deletions. New rows use them. */
  freePagesBytes: number;
  /** How much the next checkpoint makes the file grow. */
  growthBytes: number;
}

/**
 * Stops capture before the disk is full. On a full disk even DELETE fails, so retention could
 * never make room. Below the reserve the store refuses new events; everything else goes on.
 *
 * Retention leaves free pages in the file, but doesn't free the disk. These pages count as
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

  /** Measures the disk. Never rejects; a failed measurement changes nothing. */
  async measure(): Promise<void> {
    this.#looking = true;
    try {
      const space = await this.#diskSpace();
      // If the file system reports no free space, a full disk fails the write itself.
      this.#short = space !== null && this.#isShort(space);
    } catch {
      // The next write reports the broken disk.
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
