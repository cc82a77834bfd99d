import { HookrelayError } from '../../../core/errors.ts';
import type { Clock } from '../../../core/runtime/runtime.ts';
import type { DiskSpace } from './disk-space.ts';

/**
 * Oldest valid measurement of the disk, ms. A fast disk takes hundreds of MiB in a
 * second. Between two measurements less than half of the reserve must be written:
 * otherwise later deletions no longer count as room.
 */
const MEASURE_EVERY_MS = 100;

/** The room that the database has and needs. */
export interface DatabaseRoom {
  /** Free pages in the file, which deletions left for new rows. */
  freePagesBytes: number;
  /** Growth of the file at the next checkpoint: that much of the disk is taken. */
  growthBytes: number;
}

/**
 * Stops capture before the disk is full. On a full disk even DELETE fails, and retention
 * could never make room. So below the reserve new events are refused, while everything
 * else goes on.
 *
 * Deletions by retention leave free pages in the file, and the disk stays as full. Those
 * pages count as room while half of the reserve is free.
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

  /** Throws `storage_full` when there is too little room for new events. */
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

  /** Measures the disk. Never rejects: after a failed measurement the verdict stays. */
  async measure(): Promise<void> {
    this.#looking = true;
    try {
      const space = await this.#diskSpace();
      // A disk that reports no free space fails the write itself when it is full.
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
